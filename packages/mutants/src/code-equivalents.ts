// Mutants of the code that no test can kill, because the code does the same without the part.
export type Equivalent = { statement: RegExp; names: RegExp[]; reason: string }

export const CODE_EQUIVALENTS: Equivalent[] = [
  {
    statement: /^authentication\/claims\.ts$/,
    names: [
      /^without "addresses\.(clear\(\)|set\(ip, address\)|get\(ip\)" \?\? )/,
      /^"addresses\.size >= MAX_ADDRESSES" with >$/,
    ],
    reason: 'It only saves time and limits memory. A forgotten address is computed again.',
  },
  {
    statement: /^authentication\/claims\.ts$/,
    names: [/^without the property "secret: ''"$/],
    reason: '`join` writes `undefined` as the empty text.',
  },
  {
    statement: /^(authentication\/key-set|webhooks\/send)\.ts$/,
    names: [/^without \.\.\. \?\? "''"$/],
    reason: 'The set contains neither the empty text nor `undefined`.',
  },
  {
    statement: /^authentication\/key-set\.ts$/,
    names: [/^without "error instanceof Error" && /],
    reason: 'A fetch only throws errors.',
  },
  {
    statement: /^http\/send-failure\.ts$/,
    names: [/^without \.\.\. \?\? "''"$/],
    reason: 'The validator always names the methods that are allowed.',
  },
  {
    statement: /^network\/addresses\.ts$/,
    names: [/^without "list\.addSubnet\(/],
    reason: 'It runs once, when the module loads. `guards.json` removes ranges instead.',
  },
  {
    statement: /^webhooks\/send\.ts$/,
    names: [/^without the property "failure: 'no connection'"$/, /^without \.\.\. \?\? "\{ failure: /],
    reason: 'A connection of the second attempt is new, so that attempt has a result or throws.',
  },
  {
    statement: /^webhooks\/send\.ts$/,
    names: [/^"readBytes > MAX_READ_BYTES" with >=$/],
    reason: 'What is read is not used, so one byte more or less makes no difference.',
  },
  {
    statement: /^webhooks\/send\.ts$/,
    names: [/^without "response\.on\('(error|close)', /],
    reason: 'Without a listener, Node drops an error of a response. A late `destroy` has no effect.',
  },
  {
    statement: /^network\/addresses\.ts$/,
    names: [/^without "!isIP\(address\)" \|\| /],
    reason: 'A text that is no address is in no list, and so not among the public addresses of IPv6.',
  },
  {
    statement: /^secrets\/key-ring\.ts$/,
    names: [/^without the property "ringKeys"$/, /^"!isActive\(key\)" without !$/],
    reason: 'The keys are sorted again at each use, with the same result.',
  },
  {
    statement: /^secrets\/open-key-ring\.ts$/,
    names: [/^false instead of "config\.keyRing"$/],
    reason: 'A file is watched that is not read.',
  },
  {
    statement: /^secrets\/tokens\.ts$/,
    names: [/^without \.\.\. \|\| "1"$/],
    reason: 'One of 2^53 random numbers is 0.',
  },
  {
    statement: /^secrets\/tokens\.ts$/,
    names: [/^"position === pool\.length" with !==$/],
    reason: 'Each byte comes from a pool of its own. It only costs time.',
  },
  {
    statement: /^failure\.ts$/,
    names: [/^without "this\.errors" && /],
    reason: 'JSON has no `undefined`.',
  },
  {
    statement: /^http\/partner-limits\.ts$/,
    names: [
      /^true instead of false$/,
      /^without the property "(validate: \{ )?singleCount: false/,
      /^"msLeft\(req\) > 0" with >=$/,
      /^"statusCode >= 400" with >$/,
      /^without \.\.\. \?\? "0"$/,
    ],
    reason:
      'The first two only warn. After the limit no request gets 400, and a moment makes no difference. ' +
      'Without a limit nothing is given back, as with a time in the past.',
  },
  {
    statement: /^citizens\/citizen-encryption\.ts$/,
    names: [/^without "known\?\.data_key" \?\? /],
    reason: 'The same key is wrapped again.',
  },
  {
    statement: /^sso\/access-token\.ts$/,
    names: [/^"token\.length > MAX_TOKEN_CHARACTERS" with >=$/, /^without \.\.\. \?\? "0"$/],
    reason: 'No token is so long, and no key has the name of a token that ends before it.',
  },
  {
    statement: /^sso\/authenticate\.ts$/,
    names: [/^false instead of "await consume\(caller\)"$/],
    reason: 'The second attempt does the same, later.',
  },
  {
    statement: /^partners\/partner-cache\.ts$/,
    names: [/^"found\.queriedAtMs > validSinceMs" with >=$/],
    reason: 'A moment makes no difference.',
  },
  {
    statement: /^authentication\/(authenticate-partner|store)\.ts$/,
    names: [/^without "!partnerRow" \|\| /, /^true instead of "row"$/],
    reason: 'A partner that was not found has no secrets, so no secret matches.',
  },
  {
    statement: /^authentication\/security-handlers\.ts$/,
    names: [
      /^without "refusal instanceof Failure" && /,
      /^"refusal\.status < 500" with <=$/,
      /^without "!freshness\.isFresh" && /,
      /^without the property "isFresh: false"$/,
      /^without "req\.accessToken" \?\? /,
      /^without \.\.\. \?\? "decryptAccessToken\(/,
    ],
    reason:
      'Other errors have no status, and no handler refuses with 500. A repeated authentication ignores ' +
      'what is loaded early. Admission has decrypted the token before, with the same result.',
  },
  {
    statement: /^http\/(admission|fair-queue)\.ts$/,
    names: [
      /^without the property "(queue: undefined|deadlineAtMs: 0|startedAtMs: 0)"$/,
      /^without the property "(isResponseDone|isReturningTurn): false"$/,
    ],
    reason: 'Each is set before it is read, or `undefined` means the same.',
  },
  {
    statement: /^http\/admission\.ts$/,
    names: [/^without "queue\.newcomers >= maxQueued" && /],
    reason: '`isFull` compares the length of the queue, too.',
  },
  {
    statement: /^http\/slots\.ts$/,
    names: [/^"performance\.now\(\) < untilMs" with <=$/],
    reason: 'A moment makes no difference.',
  },
  {
    statement: /^database\/unavailable\.ts$/,
    names: [/^without "'code' in error" && /, /^without \.\.\. && "'(code|syscall)' in error"$/],
    reason: 'An error without the property has `undefined` there, which is no code. Only the types need it.',
  },
  {
    statement: /^authentication\/identity-tokens\.ts$/,
    names: [/^without (\.\.\. && )?"typeof (iat|exp) === 'number'/],
    reason: 'jose refuses a claim of another type, and without the claim the comparison is false.',
  },
  {
    statement: /^http\/partner-limits\.ts$/,
    names: [/^without "check" && /],
    reason: '`Failure` has no check then either. Only the types need it.',
  },
  {
    statement: /^http\/body\.ts$/,
    names: [/^without "error instanceof MulterError" && /, /^without "Object\.defineProperty\(req, 'query'/],
    reason: 'No other error has this code. The query, if it is parsed again, is the same.',
  },
  {
    statement: /^http\/check-headers\.ts$/,
    names: [/^without "headers\[header\] !== undefined" && /],
    reason: 'A header that was given twice is not `undefined`. The comparison only saves time.',
  },
  {
    statement: /^(http\/partner-limits|webhooks\/connections)\.ts$/,
    names: [/^without the property "(windowMs: MINUTE_MS|scheduling: 'lifo' as const)"$/],
    reason: 'It is also the default of the library and of Node.',
  },
  {
    statement: /^http\/slots\.ts$/,
    names: [/^without \.\.\. \|\| "!queue\.isEmpty"$/],
    reason: 'While requests wait, others are in flight.',
  },
  {
    statement: /^partners\/allow-list\.ts$/,
    names: [/^without "(ip !== undefined|range)" && /],
    reason: 'ipaddr calls `undefined` invalid, and `requireRanges` lets only ranges into a list.',
  },
  {
    statement: /^partners\/allow-list\.ts$/,
    names: [/^without "!host" \|\| /],
    reason: '`undefined` is no address. Only the types need it.',
  },
  {
    statement: /^http\/(host|content-type|body)\.ts$/,
    names: [/^without \.\.\. \?\? "''"$/, /^without "host !== undefined" && /],
    reason: 'Only the types need it: `undefined` matches the same patterns, and no set contains it.',
  },
  {
    statement: /^http\/body\.ts$/,
    names: [/^true instead of "hasBody\(req\)"$/],
    reason: 'A body of no bytes ends at once.',
  },
  {
    statement: /^http\/forwarded\.ts$/,
    names: [/^without "Object\.defineProperty\(req, 'ip'/],
    reason: 'Express reads the same address again. It only saves time.',
  },
  {
    statement: /^http\/rate-limit-refused-credentials\.ts$/,
    names: [/^without "refusal instanceof Failure" && /],
    reason: 'No other error has such a code. Only the types need it.',
  },
]
