// The only code that follows `$ref` in a document. The documents are bundles: references stay inside them.

/** An object of an OpenAPI document. */
export type Json = { readonly [key: string]: unknown }

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What a reference names. `undefined`: it leads nowhere, or out of the document. */
export function targetOf(document: object, ref: string): unknown {
  if (!/^#(\/|$)/.test(ref)) return undefined
  let node: unknown = document
  for (const segment of ref.split('/').slice(1)) {
    const key = decode(segment)
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key)) return undefined
    node = (node as Json)[key]
  }
  return node
}

/** The last name of a reference: for `#/components/schemas/Profile`, `Profile`. */
export const nameOf = (ref: string) => decode(ref.slice(ref.lastIndexOf('/') + 1))

/** The object behind `$ref`, through several if needed. `undefined`: there is none, or it leads to itself. */
export function find(document: object, part: unknown): Json | undefined {
  let found = part
  for (const passed = new Set<string>(); isObject(found) && typeof found.$ref === 'string';) {
    const { $ref, ...own } = found
    if (passed.has($ref)) return undefined
    passed.add($ref)
    const target = targetOf(document, $ref)
    // Fields beside a `$ref` replace those of its target.
    found = isObject(target) && Object.keys(own).length > 0 ? { ...target, ...own } : target
  }
  return isObject(found) ? found : undefined
}

/** As `find`, in a document whose references are known to lead to something. */
export function resolve<Part extends object>(document: object, part: Part): Part {
  const found = find(document, part)
  if (!found) throw new Error(`${(part as { $ref?: string }).$ref} does not exist, or leads to itself`)
  return found as Part
}

export function refsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner] : refsIn(inner),
  )
}

/** The references of a part, and those of what they lead to. */
export function refsFrom(document: object, part: unknown, found = new Set<string>()): Set<string> {
  for (const ref of refsIn(part))
    if (!found.has(ref)) refsFrom(document, targetOf(document, ref), found.add(ref))
  return found
}

/** A segment of a JSON pointer in a URI fragment. */
function decode(segment: string): string {
  const unescaped = (text: string) => text.replaceAll('~1', '/').replaceAll('~0', '~')
  try {
    return unescaped(decodeURIComponent(segment))
  } catch {
    return unescaped(segment)
  }
}
