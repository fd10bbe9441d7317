import operator from '@tiwala/contract/operator.json' with { type: 'json' }
import addFormats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { fieldErrors, toViolation } from '../../contract/field-errors.ts'

type SchemaName = keyof typeof operator.components.schemas

/** Returns the errors of each invalid field; `undefined`: the value is valid. */
export type Validate = (value: unknown) => Record<string, string[]> | undefined

const ID = 'https://tiwala.invalid/operator'

// Not strict, since the document has keywords beyond JSON Schema. The document itself is checked when it is
// generated.
const ajv = new Ajv2020({ strict: false, allErrors: true })

addFormats.default(ajv)

ajv.addSchema(operator, ID)

/** Validates values that are not the body of a request with a schema of the operator document. */
export function createSchemaValidator(name: SchemaName): Validate {
  const validate = ajv.compile({ $ref: `${ID}#/components/schemas/${name}` })
  return (value) => (validate(value) ? undefined : fieldErrors(validate.errors!.map(toViolation)))
}
