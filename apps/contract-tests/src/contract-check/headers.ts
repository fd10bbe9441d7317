import { errorsOf, type Part, partOf, validatorOf } from './documents.ts'

/** Headers that no document names. Every other header of a response must be documented. */
const UNDOCUMENTED = new Set([
  // Set by Node, about the connection or the framing of the message (RFC 9110, RFC 9112).
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
  // Documented as the media type of the body, and checked as such.
  'content-type',
  // On every response of a deprecated operation. The guide describes them.
  'deprecation',
  'sunset',
  // Security headers, the same on every response. A test of the server checks their values.
  'content-security-policy',
  'cross-origin-resource-policy',
  'referrer-policy',
  'strict-transport-security',
  'x-content-type-options',
  'x-frame-options',
])

const TOKEN = "[\\w!#$%&'*+.^`|~-]+"
const PARAMETER = `${TOKEN} *= *(?:${TOKEN}|"(?:[^"\\\\]|\\\\.)*")`
const CHALLENGE = `${TOKEN}(?: +${PARAMETER}(?: *, *${PARAMETER})*)?`
/** Rules of a standard that a schema of a document does not state. */
const STANDARDS: Record<string, RegExp> = {
  // RFC 9110, section 11.6.1.
  'www-authenticate': new RegExp(`^${CHALLENGE}(?: *, *${CHALLENGE})*$`),
  // RFC 7240, section 3.
  'preference-applied': new RegExp(`^(?:${PARAMETER}|${TOKEN})$`),
  // Standard Webhooks: one signature, or two while the secret is rotated, each of 32 bytes.
  'webhook-signature': /^v1,[\w+/]{43}=( v1,[\w+/]{43}=)?$/,
}

/** Returns what is wrong with the value of a header, or `undefined`. */
export type HeaderRule = { name: string; isRequired: boolean; problemOf(value: string): string | undefined }

/** The rule of a documented header. A parameter of a webhook has the same form. */
export function headerRule(header: string, part: Part): HeaderRule {
  const schema = partOf(part, 'schema')!
  const validate = validatorOf(schema)
  const isNumber = [schema.value['type']].flat().some((type) => type === 'integer' || type === 'number')
  const standard = STANDARDS[header.toLowerCase()]
  return {
    name: header,
    isRequired: part.value['required'] === true,
    problemOf(value) {
      // A header is text. `01`, `1e3` and ` 1` are no integers (RFC 9110, section 10.2.3).
      const typed = isNumber && /^(0|-?[1-9]\d*)$/.test(value) ? Number(value) : value
      if (!validate(typed)) return errorsOf(validate)
      if (standard && !standard.test(value)) return `its value does not match ${standard.source}`
      return undefined
    },
  }
}

/** Compares the headers that were received with the documented ones. The keys of `rules` are lower-case. */
export function headerViolations(
  rules: Map<string, HeaderRule>,
  received: Iterable<[name: string, value: string]>,
  isAllowed = (name: string) => UNDOCUMENTED.has(name),
): { violations: string[]; present: string[] } {
  const [violations, present]: [string[], string[]] = [[], []]
  const missing = new Set(rules.keys())
  for (const [name, value] of received) {
    const rule = rules.get(name)
    if (!rule) {
      if (!isAllowed(name)) violations.push(`the header ${name} is not documented`)
      continue
    }
    missing.delete(name)
    present.push(rule.name)
    const problem = rule.problemOf(value)
    if (problem) violations.push(`the header ${name} is ${value}: ${problem}`)
  }
  for (const name of missing)
    if (rules.get(name)!.isRequired) violations.push(`the header ${name} is missing`)
  return { violations, present }
}
