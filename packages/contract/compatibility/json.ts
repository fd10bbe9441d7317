// Documents as data: reading parts of them, and showing values in messages.
/** An object of an OpenAPI document. */
export type Json = { readonly [key: string]: unknown }

export const asObject = (value: unknown): Json =>
  typeof value === 'object' && value !== null ? (value as Json) : {}

/** Follows `$ref` until an object of its own. */
export function resolve(document: Json, value: unknown): Json {
  const { $ref } = asObject(value)
  if (typeof $ref !== 'string') return asObject(value)
  const segments = $ref.slice(2).split('/')
  return resolve(
    document,
    segments.reduce<unknown>((node, segment) => asObject(node)[decode(segment)], document),
  )
}

export const decode = (segment: string) =>
  decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~')

export const asText = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** A value in a message, shortened. */
export function show(value: unknown): string {
  const text = value === undefined ? 'absent' : JSON.stringify(value)
  return text.length > 120 ? `${text.slice(0, 117)}...` : text
}

/** Pairs the entries of two objects by key. A missing side is undefined. */
export function pairs(before: unknown, after: unknown): [key: string, before: unknown, after: unknown][] {
  const [left, right] = [asObject(before), asObject(after)]
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].map((key) => [
    key,
    left[key],
    right[key],
  ])
}
