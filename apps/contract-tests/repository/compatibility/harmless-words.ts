import { type Edit, gone, minus, to } from './edits.ts'

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
  ['a description of an operation', 'partner', 'inquire > description', to('Other words.')],
  ['a description of a field', 'partner', 'Profile > properties > photo > description', to('Other words.')],
  ['the description of a scheme', 'partner', 'secretToken > description', to('Other words.')],
  ['a summary', 'partner', 'inquire > summary', to('Other words')],
  ['a title', 'partner', 'Profile > title', to('Other words')],
  ['tags', 'partner', 'inquire > tags', to(['Other'])],
  ['an example', 'partner', 'inquire > parameters > 0 > example', to('7M3K9QXV4T0HB2ZJ6WFE8RC5NE')],
  [
    'examples of a response',
    'partner',
    'inquire > responses > 200 > content > application/json > examples',
    gone,
  ],
  ['a deprecated operation', 'partner', 'profileByQr > deprecated', to(true)],
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
  // Other spellings
  ['a reference instead of a copy', 'partner', 'QrSubmission', (old: unknown) => ({ allOf: [old] })],
  [
    'an enum of one value instead of const',
    'partner',
    'WebhookTestEvent > properties > type',
    to({ type: 'string', enum: ['webhook.test'] }),
  ],
  ['a list of one type', 'partner', 'Profile > properties > email > type', to(['string'])],
  ['a header in other letters', 'partner', 'inquire > parameters > 1 > name', to('prefer')],
  ['a code that no operation uses', 'operator', 'ErrorCode > enum', minus('slow_down')],
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
    to({ anyOf: [{ type: 'null' }, { type: 'string' }] }),
  ],
  ['the order of parts', 'partner', 'PendingAuthorization > allOf', (old: unknown[]) => old.toReversed()],
  [
    'a fixed form of an integer',
    'partner',
    'Authorization > properties > id',
    to({ type: 'integer', exclusiveMinimum: 0, maximum: 9007199254740991 }),
  ],
]
