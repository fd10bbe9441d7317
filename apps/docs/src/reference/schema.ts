// JSON schemas as a reader needs them: references resolved, `allOf` merged into one schema.
import { nameOf } from '@tiwala/contract/references'
import type { Deprecation } from './deprecation.ts'

export type Schema = Deprecation & {
  $ref?: string
  /** The name of the schema in `components`, as `resolve` found it. */
  name?: string
  title?: string
  description?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  default?: unknown
  required?: string[]
  properties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  items?: Schema
  allOf?: Schema[]
  oneOf?: Schema[]
  anyOf?: Schema[]
}

export type Schemas = Record<string, Schema>

/** A schema without `$ref` and `allOf` at its top. Its properties still have theirs. */
export function resolve(schema: Schema, schemas: Schemas): Schema {
  const { $ref, allOf, ...own } = schema
  if ($ref !== undefined) {
    const name = nameOf($ref)
    const target = schemas[name]
    if (!target) throw new Error(`${$ref} does not exist`)
    // What stands beside `$ref` narrows the target, and its description is the more precise one.
    return { ...merge(resolve(target, schemas), own, schemas), name }
  }
  if (!allOf) return narrowType(own)
  // The part with the most properties is the base: it gives the order and the descriptions.
  const parts = allOf
    .map((part) => resolve(part, schemas))
    .toSorted((a, b) => countProperties(b) - countProperties(a))
  const { name: _base, ...merged } = parts.reduce((base, part) => merge(base, part, schemas))
  return merge(merged, own, schemas)
}

const countProperties = ({ properties = {} }: Schema) => Object.keys(properties).length

/** The schema of the values that both schemas allow. Texts come from `narrow` if it has them. */
export function merge(base: Schema, narrow: Schema, schemas: Schemas): Schema {
  const chosen = chooseBranch(base, narrow, schemas)
  if (chosen) return chosen
  const merged: Schema = { ...base, ...narrow, ...narrowValues(base, narrow) }
  if (base.required && narrow.required) merged.required = [...new Set([...base.required, ...narrow.required])]
  if (base.properties && narrow.properties) {
    merged.properties = { ...base.properties }
    for (const [name, property] of Object.entries(narrow.properties)) {
      const other = base.properties[name]
      merged.properties[name] = other ? mergeProperty(other, property, schemas) : property
    }
  }
  return onlyValue(merged)
}

/** Types that no value has are left out: `[string, 'null']` with `const: null` is `null`. */
function narrowType({ const: constant, ...others }: Schema): Schema {
  if (constant === null) return onlyValue({ ...others, type: 'null' })
  const schema: Schema = constant === undefined ? others : { ...others, const: constant }
  if (!Array.isArray(schema.type) || !schema.enum) return schema
  const types = common(schema.type, typesOfValues(schema))
  return onlyValue({ ...schema, type: types.length === 1 ? types[0]! : types })
}

/** A constant, or null, has neither another type nor other values. */
function onlyValue(schema: Schema): Schema {
  const isConstant = schema.const !== undefined
  if (!isConstant && !isNull(schema)) return schema
  const { enum: _values, pattern: _pattern, ...others } = schema
  return isConstant ? { ...others, type: typeOfValue(schema.const) } : others
}

function mergeProperty(base: Schema, narrow: Schema, schemas: Schemas): Schema {
  const { name: baseName, ...other } = resolve(base, schemas)
  const { name = baseName, ...property } = resolve(narrow, schemas)
  const merged = merge(other, property, schemas)
  return name === undefined ? merged : { ...merged, name }
}

/** `oneOf` loses the branches that `narrow` excludes. A single branch that remains replaces it. */
function chooseBranch(base: Schema, narrow: Schema, schemas: Schemas): Schema | undefined {
  const { oneOf, anyOf, ...others } = base
  const branches = oneOf ?? anyOf
  if (!branches || narrow.type === undefined) return undefined
  const [branch, ...more] = branches
    .map((each) => resolve(each, schemas))
    .filter((each) => common(each.type, narrow.type).length > 0)
  if (!branch || more.length) return undefined
  return merge({ ...others, ...branch }, narrow, schemas)
}

function narrowValues(base: Schema, narrow: Schema): Schema {
  const values: Schema = {}
  if (base.type !== undefined && narrow.type !== undefined) {
    const types = common(base.type, narrow.type)
    if (types.length) values.type = types.length === 1 ? types[0]! : types
  }
  if (base.enum && narrow.enum) values.enum = base.enum.filter((value) => narrow.enum!.includes(value))
  for (const bound of ['minimum', 'minLength', 'minItems'] as const)
    if (base[bound] !== undefined && narrow[bound] !== undefined)
      values[bound] = Math.max(base[bound], narrow[bound])
  for (const bound of ['maximum', 'maxLength', 'maxItems'] as const)
    if (base[bound] !== undefined && narrow[bound] !== undefined)
      values[bound] = Math.min(base[bound], narrow[bound])
  return values
}

const common = (a: Schema['type'], b: Schema['type']): string[] => {
  const [first, second] = [typesOf(a), typesOf(b)]
  return first.length && second.length ? first.filter((type) => second.includes(type)) : [...first, ...second]
}

const typesOf = (type: Schema['type']): string[] =>
  type === undefined ? [] : Array.isArray(type) ? type : [type]

export const isNull = ({ type }: Schema) => type === 'null'

/** `['string', 'null']` for a schema that allows both. */
export function allTypes(schema: Schema, schemas: Schemas): string[] {
  const branches = schema.oneOf ?? schema.anyOf
  const types = branches
    ? branches.flatMap((branch) => allTypes(resolve(branch, schemas), schemas))
    : typesOf(schema.type ?? typesOfValues(schema))
  return [...new Set(types)]
}

const typesOfValues = ({ const: only, enum: values = only === undefined ? [] : [only] }: Schema) =>
  values.map(typeOfValue)

const typeOfValue = (value: unknown) =>
  value === null ? 'null' : typeof value === 'number' ? 'integer' : typeof value
