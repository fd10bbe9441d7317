type Violation = { path: string; message: string; errorCode?: string }

/** Longer or stranger than any field of ours: not a name, but perhaps a body sent under the wrong type, secrets and all. */
const NAME = /^[\w.-]{1,64}$/
const NOT_A_NAME = 'holds a field that is not one; a body of JSON needs Content-Type: application/json'

/** The validator's words for what a caller does most often, in the caller's. */
const WORDS: [RegExp, string][] = [
  [/^must have required property/, 'is required'],
  [/^must NOT have (additional|unevaluated) properties/, 'is not a field of this request'],
  [/^Unknown query parameter/, 'is not a parameter of this request'],
  [/^Empty value found for query parameter/, 'must not be empty'],
  [/^must match pattern .*Default_Ignorable_Code_Point/, 'must hold no control or invisible characters, and no space at either end'],
  [/^must NOT have fewer than 1 characters/, 'must not be empty'],
]

/** What is wrong with each field, by the caller's own names: `/body/profile/postal` is `profile.postal`. */
export function fieldErrors(violations: Violation[]): Record<string, string[]> {
  // Callers name fields as they like: `constructor`, too.
  const fields = Object.create(null) as Record<string, string[]>
  for (const { path, message } of violations) {
    const name = path.replace(/^[/.](body|query|params|headers)[/.]?/, '').replaceAll('/', '.') || 'body'
    const said = WORDS.find(([theirs]) => theirs.test(message))?.[1] ?? message
    const [field, words] = NAME.test(name) ? [name, said] : ['body', NOT_A_NAME]
    const known = (fields[field] ??= [])
    if (!known.includes(words)) known.push(words)
  }
  return fields
}
