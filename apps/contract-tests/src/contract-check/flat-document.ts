// The document for generators of clients, for comparisons with the partner document.
import flat from '@tiwala/contract/partner-3.0.json' with { type: 'json' }

type Node = Record<string, unknown>
type FlatDocument = Node & { components: Record<'schemas' | 'responses', Record<string, Node>> }

/** As it is served. */
export const flatDocument = flat as unknown as FlatDocument

/** With `null` written as JSON Schema and OpenAPI 3.1 write it. */
export const flatDocument31 = withNullTypes(flat) as FlatDocument

function withNullTypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNullTypes)
  if (typeof value !== 'object' || value === null) return value
  const { nullable, ...rest } = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withNullTypes(inner)]),
  )
  if (nullable !== true) return rest
  return 'type' in rest ? { ...rest, type: [rest['type'], 'null'] } : { oneOf: [rest, { type: 'null' }] }
}
