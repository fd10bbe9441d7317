import operator from '@tiwala/contract/operator.json' with { type: 'json' }
import addFormats from 'ajv-formats'
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import { fieldErrors } from '../../contract/field-errors.ts'

type SchemaName = keyof typeof operator.components.schemas
/** Per field at fault, what is wrong with it; `undefined`: nothing is. */
export type Validate = (value: unknown) => Record<string, string[]> | undefined

const ID = 'https://tiwala.invalid/operator'
// The document is checked when it is generated; its keywords beyond JSON Schema are no fault.
const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addSchema(operator, ID)

/** Holds a schema of the operator document against values that do not come as the body of a request. */
export function createSchemaValidator(name: SchemaName): Validate {
  const validate = ajv.compile({ $ref: `${ID}#/components/schemas/${name}` })
  return (value) => (validate(value) ? undefined : fieldErrors(validate.errors!.map(toViolation)))
}

/** As the validator of requests names fields: what is missing or too much, by its own name. */
function toViolation({ instancePath, params, message = '' }: ErrorObject) {
  const { missingProperty, additionalProperty } = params as { missingProperty?: string; additionalProperty?: string }
  const field = missingProperty ?? additionalProperty
  return { path: `/body${instancePath}${field === undefined ? '' : `/${field}`}`, message }
}
