import { isDeepStrictEqual } from 'node:util'
import { asObject, type Json, pairs } from './json.ts'

/** The references to components that differ between two documents, directly or through other components. */
export function changedRefs(before: Json, after: Json): ReadonlySet<string> {
  const components = pairs(before.components, after.components).flatMap(([section, left, right]) =>
    pairs(left, right).map(([name, old, current]) => ({
      $ref: `#/components/${section}/${name}`,
      isEqual: isDeepStrictEqual(old, current),
      refs: refsIn(old),
    })),
  )
  const changed = new Set<string>()
  for (let known = -1; known < changed.size;) {
    known = changed.size
    for (const { $ref, isEqual, refs } of components)
      if (!isEqual || refs.some((each) => changed.has(each))) changed.add($ref)
  }
  return changed
}

/** Whether two parts of the documents, with all that they refer to, are the same. */
export const isUnchanged = (changed: ReadonlySet<string>, before: unknown, after: unknown) =>
  isDeepStrictEqual(before, after) && !refsIn(before).some((ref) => changed.has(ref))

function refsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(asObject(value)).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner] : refsIn(inner),
  )
}
