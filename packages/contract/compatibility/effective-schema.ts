// Two spellings of one schema must compare as equal. So `$ref` and `allOf` are merged, `const` becomes an
// `enum`, and texts and keywords at their default are dropped.
import { isDeepStrictEqual } from 'node:util'
import { asObject, type Json, resolve } from './json.ts'

const TEXTS =
  /^(title|description|examples?|deprecated|externalDocs|xml|discriminator|x-.*|\$(comment|defs))$/

const DEFAULTS: Json = {
  minLength: 0,
  minItems: 0,
  minProperties: 0,
  uniqueItems: false,
  readOnly: false,
  writeOnly: false,
}

/** The top level of a schema without `$ref`, `allOf`, `const` and texts. Nested schemas stay as written. */
export function effectiveSchema(document: Json, schema: unknown): Json {
  const { enum: values, type: types, unevaluatedProperties, ...rest } = mergedSchema(document, schema)
  const closed = unevaluatedProperties !== undefined && { additionalProperties: unevaluatedProperties }
  if (!Array.isArray(values)) return { ...rest, ...closed, ...(types !== undefined && { type: types }) }
  const possible = values.filter((value) => types === undefined || allows(types as string[], typeOf(value)))
  return { ...rest, ...closed, enum: possible, type: [...new Set(possible.map(typeOf))] }
}

function mergedSchema(document: Json, schema: unknown): Json {
  if (schema === false) return { not: {} }
  const { $ref, allOf, ...own } = asObject(schema)
  const parts = [
    ...($ref === undefined ? [] : [resolve(document, { $ref })]),
    ...(Array.isArray(allOf) ? allOf : []),
  ]
  return [normalized(own), ...parts.map((part) => mergedSchema(document, part))].reduce(intersection)
}

function normalized({ const: constant, type, ...own }: Json): Json {
  const kept = Object.entries(own).filter(([key, value]) => !TEXTS.test(key) && !isDefault(key, value))
  return {
    ...Object.fromEntries(kept),
    ...(type !== undefined && { type: [type].flat() }),
    ...(constant !== undefined && { enum: [constant] }),
    ...inclusive(own, type),
  }
}

const isDefault = (key: string, value: unknown) =>
  isDeepStrictEqual(DEFAULTS[key], value) ||
  (['additionalProperties', 'unevaluatedProperties', 'items'].includes(key) &&
    (value === true || isDeepStrictEqual(value, {})))

/** The bounds of an integer without their exclusive form. */
function inclusive({ exclusiveMinimum, exclusiveMaximum }: Json, type: unknown): Json {
  if (type !== 'integer') return {}
  return {
    ...(typeof exclusiveMinimum === 'number' && {
      minimum: Math.floor(exclusiveMinimum) + 1,
      exclusiveMinimum: undefined,
    }),
    ...(typeof exclusiveMaximum === 'number' && {
      maximum: Math.ceil(exclusiveMaximum) - 1,
      exclusiveMaximum: undefined,
    }),
  }
}

function intersection(left: Json, right: Json): Json {
  const merged: Record<string, unknown> = { ...left, properties: allowedBy(right, left.properties) }
  for (const [key, value] of Object.entries({ ...right, properties: allowedBy(left, right.properties) }))
    if (value !== undefined) merged[key] = merged[key] === undefined ? value : both(key, merged[key], value)
  return merged
}

/** The properties that a schema permits beside its own. A closed schema permits no other. */
function allowedBy({ additionalProperties, properties }: Json, others: unknown): unknown {
  if (additionalProperties !== false || others === undefined) return others
  return Object.fromEntries(Object.entries(asObject(others)).filter(([name]) => name in asObject(properties)))
}

/** What holds where both values of a keyword hold. A nested schema becomes an `allOf` of the two. */
function both(key: string, left: unknown, right: unknown): unknown {
  if (isDeepStrictEqual(left, right)) return left
  if (key === 'required') return [...new Set([...(left as string[]), ...(right as string[])])]
  if (key === 'enum') return (left as unknown[]).filter((value) => includes(right as unknown[], value))
  if (key === 'type') return commonTypes(left as string[], right as string[])
  if (/^(max|exclusiveMax)/.test(key)) return Math.min(left as number, right as number)
  if (/^(min|exclusiveMin)/.test(key)) return Math.max(left as number, right as number)
  if (key === 'properties') {
    const [a, b] = [asObject(left), asObject(right)]
    const shared = Object.keys(a).filter((name) => name in b)
    return { ...a, ...b, ...Object.fromEntries(shared.map((name) => [name, { allOf: [a[name], b[name]] }])) }
  }
  if (left === false || right === false) return false
  return { allOf: [left, right] }
}

const commonTypes = (left: string[], right: string[]) =>
  [...left.filter((type) => allows(right, type)), ...right.filter((type) => allows(left, type))].filter(
    (type, index, all) => all.indexOf(type) === index,
  )

/** Whether a type is among the types. An integer is a number. */
export const allows = (types: readonly string[], type: string) =>
  types.includes(type) || (type === 'integer' && types.includes('number'))

export const includes = (values: readonly unknown[], value: unknown) =>
  values.some((each) => isDeepStrictEqual(each, value))

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}
