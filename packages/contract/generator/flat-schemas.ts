// Rewrites the schemas of a 3.1 document for generators of clients, as OpenAPI 3.0.3: every object has a
// name, and no schema has variants. A flat schema allows everything that its source allows.
import { isDeepStrictEqual } from 'node:util'
import { type Json, nameOf } from '../references.ts'

export type { Json }

const MAX_INT32 = 2 ** 31 - 1

/**
 * Lists of values that grow without notice (spec/README.md, "What breaks callers"). Generated clients fail at
 * a value that an enum does not have, so only people get the list. `CheckName` is for people too, and some
 * generators would name the constant of its value `scope` like the type `Scope`.
 */
const OPEN_LISTS = new Set(['ErrorCode', 'EventType', 'CheckName'])

/** `flatten` rewrites a schema in its place, and collects in `components` the named schemas that it meets. */
export function createFlattener(sources: Record<string, Json>) {
  const components: Record<string, Json> = {}
  /** The components that are being rewritten. A schema that refers to itself is an object. */
  const open = new Set<string>()

  /** `name` is the name of an object that has none in the source. */
  function flatten(schema: Json, name: string): Json {
    if (typeof schema.$ref === 'string') return component(nameOf(schema.$ref))
    if (schema.allOf ?? schema.oneOf ?? schema.anyOf) return merged(schema, name)
    return isObject(schema) ? named(name, schema) : simple(schema, name, OPEN_LISTS.has(name))
  }

  /** A component stays one if it is an object or a closed list of values. */
  function component(name: string): Json {
    if (open.has(name)) return { $ref: `#/components/schemas/${name}` }
    open.add(name)
    const flat = flatten(sources[name]!, name)
    open.delete(name)
    return flat.enum ? refer(name, flat) : flat
  }

  /** The one component or type of all variants. What narrows it is left out: generated types cannot express it. */
  function merged({ allOf, oneOf, anyOf, ...own }: Json, name: string): Json {
    const parts = listOf(allOf).filter(({ $ref }) => $ref)
    const choices = [...listOf(oneOf), ...listOf(anyOf)]
    const variants = (parts.length > 0 ? parts : choices.filter((each) => !isNull(each))).map((variant) =>
      variant.$ref ? variant : { ...own, ...variant },
    )
    const flats = variants.some(isObject) ? [] : variants.map((variant) => flatten(variant, name))
    const [first, ...others] = flats
    const isSame = ({ $ref, type }: Json) =>
      first!.$ref ? $ref === first!.$ref : SIMPLE.test(String(type)) && type === first!.type
    if (!first || !others.every(isSame))
      throw new Error(
        `${name} has variants that are not one schema. Partners get one type for all: refer to kinds of one schema, ` +
          'or write variants of one simple type.',
      )
    const flat = shared(flats)
    if (!choices.some(isNull) && !flats.some(({ nullable }) => nullable)) return flat
    return flat.$ref ? { nullable: true, allOf: [flat] } : { ...flat, nullable: true }
  }

  function named(name: string, schema: Json): Json {
    const { title: _, properties = {}, ...rest } = schema
    const fields = Object.entries(properties as Record<string, Json>).map(
      ([key, field]) => [key, withOwnTexts(field, flatten(field, name + toPascalCase(key)))] as const,
    )
    return refer(name, { ...rest, properties: Object.fromEntries(fields) })
  }

  function refer(name: string, schema: Json): Json {
    const known = components[name]
    if (known && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`Two schemas of clients are called ${name}. Change a title, or list one in components.`)
    components[name] = schema
    return { $ref: `#/components/schemas/${name}` }
  }

  function simple(schema: Json, name: string, isOpen: boolean): Json {
    const {
      title: _,
      type,
      const: constant,
      enum: list,
      examples: [example] = [],
      items,
      additionalProperties,
      ...rest
    } = schema as Json & { examples?: unknown[] }
    const types = [type].flat()
    const [single, ...further] = types.filter((each) => each !== 'null')
    if (further.length > 0)
      throw new Error(
        `${name} has several types. Partners get one type for each value: write one, or add 'null'.`,
      )
    const values = ((list ?? [constant ?? []].flat()) as unknown[]).filter((value) => value !== null)
    return {
      type: single,
      ...(types.includes('null') && { nullable: true }),
      ...rest,
      // Only fields that no example of a body has, such as one that few requests send, have their own.
      ...(example !== undefined && { example }),
      ...(types.includes('integer') ? integer(rest, values as number[]) : closedOrOpen(values, isOpen)),
      ...(items !== undefined && { items: flatten(items as Json, `${name}Item`) }),
      ...(additionalProperties !== undefined && {
        additionalProperties: flatten(additionalProperties as Json, `${name}Value`),
      }),
    }
  }

  return { flatten, components }
}

const listOf = (schemas: unknown) => (schemas ?? []) as Json[]
const isNull = ({ type }: Json) => type === 'null'
const SIMPLE = /^(string|integer|number|boolean)$/

/** What all of the schemas say. If integers have different widths, the larger one. */
function shared([first, ...others]: Json[]): Json {
  const entries = Object.entries(first!).filter(([key, value]) =>
    others.every((other) => isDeepStrictEqual(other[key], value)),
  )
  return { ...(first!.type === 'integer' && { format: 'int64' }), ...Object.fromEntries(entries) }
}

/**
 * What a field says of itself beside the schema that it refers to. OpenAPI 3.0 ignores what stands beside `$ref`.
 * The description of a field with variants is left out: bodies with one of them have the same type.
 */
function withOwnTexts(field: Json, flat: Json): Json {
  const { allOf, oneOf, anyOf } = field
  if (!(allOf ?? oneOf ?? anyOf)) return flat
  const texts = allOf || !flat.$ref ? /^(description|deprecated|x-.*)$/ : /^(deprecated|x-.*)$/
  const own = Object.fromEntries(Object.entries(field).filter(([key]) => texts.test(key)))
  return flat.$ref && Object.keys(own).length > 0 ? { allOf: [flat], ...own } : { ...flat, ...own }
}

/** An object with fields. Without fields and open, it is a map. */
const isObject = ({ properties, additionalProperties }: Json) =>
  properties !== undefined || typeof additionalProperties === 'boolean'

/** Generated names of numbers say nothing (`NUMBER_1`), so the values become bounds. */
function integer({ minimum, maximum }: Json, values: number[]): Json {
  const [low, high] = values.length > 0 ? [Math.min(...values), Math.max(...values)] : [minimum, maximum]
  return { format: Number(high) > MAX_INT32 ? 'int64' : 'int32', minimum: low, maximum: high }
}

function closedOrOpen(values: unknown[], isOpen: boolean): Json {
  if (values.length === 0) return {}
  return isOpen ? { 'x-extensible-enum': values } : { enum: values }
}

/** `partner_code` and `Access token` become `PartnerCode` and `AccessToken`. */
export const toPascalCase = (text: string) =>
  text.replaceAll(/(?:^|[^0-9A-Za-z]+)([0-9A-Za-z])/g, (_, letter: string) => letter.toUpperCase())
