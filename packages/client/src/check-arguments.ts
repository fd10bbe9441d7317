// Checks of arguments before anything is sent. No message repeats a value.

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const CHECKSUM_CHARACTERS = 6

/** Rejects what JavaScript and empty environment variables pass in place of a text. */
export function assertText(name: string, value: unknown): asserts value is string {
  if (typeof value !== 'string' || value === '')
    throw new TypeError(`${name} must be a string that is not empty, but it is ${describe(value)}.`)
}

/** A credential is one word. White space comes from copying, and a control character from a wrong file. */
export function assertToken(name: string, value: unknown): asserts value is string {
  assertText(name, value)
  if (!/^[\x21-\x7e]+$/.test(value))
    throw new TypeError(`${name} contains white space or a character that no credential has. Copy it again.`)
}

export function assertSecretCode(name: string, value: unknown): asserts value is string {
  assertToken(name, value)
  if (!/^twc_[0-9A-Za-z]{20}$/.test(value))
    throw new TypeError(`${name} is not a whole secret code. It is twc_ and 20 characters.`)
}

/** Finds a secret that is incomplete, mistyped or of another kind by its prefix and checksum. */
export function assertSecret(name: string, value: unknown, kind: 'twt' | 'tws'): asserts value is string {
  assertToken(name, value)
  if (!new RegExp(`^${kind}_(live|test)_`).test(value))
    throw new TypeError(
      `${name} must start with ${kind}_live_ or ${kind}_test_. It may be another credential.`,
    )
  const body = value.slice(0, -CHECKSUM_CHARACTERS)
  if (!/^[0-9A-Za-z]{49}$/.test(value.slice(9)) || body + checksum(body) !== value)
    throw new TypeError(`${name} is not complete, or a character is wrong. Copy it again.`)
}

export function assertHttpUrl(name: string, value: unknown): asserts value is string {
  assertText(name, value)
  // The parser of URLs would ignore it here, but not before the path of a request.
  if (/[\s\p{Cc}]/u.test(value)) throw new TypeError(`${name} contains white space. Copy it again.`)
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || /[?#]/.test(value) || url.username || url.password)
    throw new TypeError(`${name} must be an address like https://tiwala.example, without a query.`)
}

/** A comparison with an invalid date is always false, so it would switch off what depends on it. */
export function assertDate(name: string, value: unknown): void {
  if (!Number.isFinite((value as Partial<Date> | null)?.getTime?.()))
    throw new TypeError(`${name} must be a valid Date.`)
}

/** A parsed body has lost the bytes that were signed. */
export function assertRawBody(
  name: string,
  value: unknown,
): asserts value is string | Uint8Array | ArrayBuffer {
  if (typeof value !== 'string' && !(value instanceof Uint8Array) && !(value instanceof ArrayBuffer))
    throw new TypeError(
      `${name} must be the body as you received it, a string or bytes before any parser, ` +
        `but it is ${describe(value)}.`,
    )
}

const describe = (value: unknown): string => (value === '' ? 'empty' : value === null ? 'null' : typeof value)

/** CRC-32 (as in zlib) in base62. */
function checksum(text: string): string {
  let crc = -1
  for (const character of text) {
    crc ^= character.charCodeAt(0)
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  let digits = ''
  for (let rest = ~crc >>> 0; digits.length < CHECKSUM_CHARACTERS; rest = Math.floor(rest / 62))
    digits = BASE62[rest % 62]! + digits
  return digits
}
