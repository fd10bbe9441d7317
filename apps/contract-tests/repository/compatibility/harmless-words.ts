import { type Edit, removed, withoutItems, replacedBy } from './edits.ts'

/** Sorts the keys of every object the other way round. */
const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, inner]) => [key, reversed(inner)]),
  )
}

/** Other texts, another order and other spellings, which no caller has to notice. */
export const OTHER_WORDS: Edit[] = [
  // Texts
  ['a description of an operation', 'partner', 'inquire > description', replacedBy('Other words.')],
  [
    'a description of a field',
    'partner',
    'Profile > properties > photo > description',
    replacedBy('Other words.'),
  ],
  ['the description of a scheme', 'partner', 'secretToken > description', replacedBy('Other words.')],
  ['a summary', 'partner', 'inquire > summary', replacedBy('Other words')],
  ['a title', 'partner', 'Profile > title', replacedBy('Other words')],
  ['tags', 'partner', 'inquire > tags', replacedBy(['Other'])],
  ['an example', 'partner', 'inquire > parameters > 0 > example', replacedBy('7M3K9QXV4T0HB2ZJ6WFE8RC5NE')],
  [
    'examples of a response',
    'partner',
    'inquire > responses > 200 > content > application/json > examples',
    removed,
  ],
  ['a deprecated operation', 'partner', 'profileByQr > deprecated', replacedBy(true)],
  ['a style that is the default', 'partner', 'inquire > parameters > 0 > style', replacedBy('form')],
  ['a style of a header that is the default', 'partner', 'RetryAfter > style', replacedBy('simple')],
  [
    'an encoding that is the default',
    'partner',
    'generateToken > requestBody > content > application/x-www-form-urlencoded > encoding',
    replacedBy({ scope: { style: 'form', explode: true } }),
  ],
  ['the order of keys', 'partner', 'components', reversed],
  ['the order of required fields', 'partner', 'Profile > required', (old: string[]) => old.toReversed()],
  [
    'the order of variants',
    'partner',
    'inquire > responses > 200 > content > application/json > schema > properties > data > oneOf',
    (old: unknown[]) => old.toReversed(),
  ],
  ['the order of parameters', 'operator', 'listPartners > parameters', (old: unknown[]) => old.toReversed()],
  [
    'a row of the lifetimes',
    'partner',
    'info > description',
    (old: string) => old.replace('| Exchange code |', '| Other | 1 s | once |\n| Exchange code |'),
  ],
  [
    'a longer lifetime',
    'partner',
    'info > description',
    (old: string) => old.replace('Pending record | 300 s', 'Pending record | 10 min'),
  ],
  ['a hint about tokens', 'operator', 'operatorToken > bearerFormat', replacedBy('JWT')],
  // Other spellings
  ['a reference instead of a copy', 'partner', 'QrSubmission', (old: unknown) => ({ allOf: [old] })],
  [
    'an enum of one value instead of const',
    'partner',
    'WebhookTestEvent > properties > type',
    replacedBy({ type: 'string', enum: ['webhook.test'] }),
  ],
  ['a list of one type', 'partner', 'Profile > properties > email > type', replacedBy(['string'])],
  ['a header in other letters', 'partner', 'inquire > parameters > 1 > name', replacedBy('prefer')],
  ['a code that no operation uses', 'operator', 'ErrorCode > enum', withoutItems('slow_down')],
  [
    'another form beside the published one',
    'partner',
    'QrSubmission > properties > qr_value',
    (old: object) => ({ anyOf: [old, { type: 'string', pattern: '^X' }] }),
  ],
  [
    'a nullable field as a choice',
    'partner',
    'Profile > properties > suffix',
    replacedBy({ anyOf: [{ type: 'null' }, { type: 'string' }] }),
  ],
  ['the order of parts', 'partner', 'PendingAuthorization > allOf', (old: unknown[]) => old.toReversed()],
  [
    'a fixed form of an integer',
    'partner',
    'Authorization > properties > id',
    replacedBy({ type: 'integer', exclusiveMinimum: 0, maximum: 9007199254740991 }),
  ],
]
