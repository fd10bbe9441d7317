// Writes an example beside each field of the flat schemas, from the examples of the bodies: tools that make
// values field by field read no example of a body.
import { isObject, type Json, nameOf } from '../references.ts'

export type Body = { schema: Json; value: unknown }

export function addExamples(schemas: Record<string, Json>, bodies: readonly Body[]): void {
  const found = new Map<Json, unknown>()
  const collect = (schema: Json, value: unknown): void => {
    if (value === undefined) return
    const { $ref, allOf, properties, items } = schema as {
      $ref?: string
      allOf?: Json[]
      properties?: Record<string, Json>
      items?: Json
    }
    const target = $ref === undefined ? allOf?.[0] : schemas[nameOf($ref)]
    if (target) collect(target, value)
    else if (properties)
      for (const [name, field] of Object.entries(properties))
        collect(field, isObject(value) ? value[name] : undefined)
    else if (items) for (const item of [value].flat()) collect(items, item)
    else found.set(schema, found.get(schema) ?? value)
  }
  // The one with the most values comes first, so that the values of a record fit together.
  for (const { schema, value } of bodies.toSorted((a, b) => count(b.value) - count(a.value)))
    collect(schema, value)
  for (const [schema, example] of found) Object.assign(schema, { example })
}

/** The number of values that are not null. */
const count = (value: unknown): number =>
  typeof value === 'object'
    ? Object.values(value ?? {}).reduce((sum: number, inner) => sum + count(inner), 0)
    : 1
