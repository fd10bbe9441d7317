import type { ErrorObject } from 'ajv'

type Violation = { path: string; message: string; errorCode?: string }

/**
 * Every field of the API has such a name. A longer or otherwise different name may be a whole body that was
 * sent with the wrong type and contains secrets, so the response does not repeat it.
 */
const NAME = /^[\w.-]{1,64}$/
const INVALID_NAME = 'has a field name that is not valid; a JSON body needs Content-Type: application/json'

/** The most frequent messages of the validator, and the plain text for each. */
const TEXTS: [RegExp, string][] = [
  [/^must have required property/, 'is required'],
  [/^must NOT have (additional|unevaluated) properties/, 'is not a field of this request'],
  [/^Unknown query parameter/, 'is not a parameter of this request'],
  [/^Empty value found for query parameter/, 'must not be empty'],
  [/^must match pattern "\^\[\^.*\]\*\$"/, 'must hold no control or invisible characters'],
  [
    /^must match pattern .*Default_Ignorable_Code_Point/,
    'must hold no control or invisible characters, and no space at either end',
  ],
  [/^must NOT have fewer than 1 characters/, 'must not be empty'],
  [/^must match pattern "\\S"/, 'must not be blank'],
]

/**
 * What is wrong with each field, by the name that the client uses: `/body/profile/postal` is
 * `profile.postal`.
 */
export function fieldErrors(violations: Violation[]): Record<string, string[]> {
  // Without a prototype, since a client may send a field with the name `constructor`.
  const fields = Object.create(null) as Record<string, string[]>
  // What an alternative says of a whole object adds nothing to what is wrong within it.
  const isAroundAnother = (path: string) => violations.some((other) => other.path.startsWith(`${path}/`))
  for (const { path, message } of violations) {
    if (isAroundAnother(path)) continue
    const name = path.replace(/^[/.](body|query|params|headers)[/.]?/, '').replaceAll('/', '.') || 'body'
    const text = TEXTS.find(([pattern]) => pattern.test(message))?.[1] ?? message
    const [field, error] = NAME.test(name) ? [name, text] : ['body', INVALID_NAME]
    const errors = (fields[field] ??= [])
    if (!errors.includes(error)) errors.push(error)
  }
  return fields
}

/** An error of Ajv. It names a field as the request validator does: a missing or unknown one by its own name. */
export function toViolation({ instancePath, params, message = '' }: ErrorObject): Violation {
  const { missingProperty, additionalProperty, allowedValues } = params as {
    missingProperty?: string
    additionalProperty?: string
    allowedValues?: unknown[]
  }
  const field = missingProperty ?? additionalProperty
  return {
    path: `/body${instancePath}${field === undefined ? '' : `/${field}`}`,
    message: allowedValues ? `must be one of ${allowedValues.join(', ')}` : message,
  }
}
