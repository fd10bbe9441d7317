// Rewrites the schemas of a 3.1 document for generators of clients, as OpenAPI 3.0.3: every object has a
// name, and no schema has variants. A flat schema allows everything that its source allows.
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
    const variants = [schema.allOf, schema.oneOf].flat().filter((variant) => variant !== undefined) as Json[]
    if (variants.length > 0) return merged(schema, variants, name)
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

  /** The one component of all variants. What narrows it is left out: generated types cannot express it. */
  function merged(schema: Json, variants: Json[], name: string): Json {
    const refs = variants.filter(({ $ref }) => $ref).map((variant) => flatten(variant, name))
    const [first, ...others] = new Map(refs.map((ref) => [ref.$ref, ref])).values()
    if (!first || others.length > 0)
      throw new Error(
        `${name} has variants that are not one schema. Partners get one type for all: refer to kinds of one schema.`,
      )
    const isNullable = schema.oneOf && variants.some(({ type }) => type === 'null')
    return isNullable ? { nullable: true, allOf: [first] } : first
  }

  function named(name: string, schema: Json): Json {
    const { title: _, properties = {}, ...rest } = schema
    const fields = Object.entries(properties as Record<string, Json>).map(
      ([key, field]) => [key, flatten(field, name + toPascalCase(key))] as const,
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
    const values = ((list ?? [constant ?? []].flat()) as unknown[]).filter((value) => value !== null)
    return {
      type: types.find((each) => each !== 'null'),
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
