import { isDeepStrictEqual } from 'node:util'
import { pairs, show } from './comparison.ts'
import { includes } from './effective-schema.ts'

/** Every difference between two documents, each on one line. The order of keys is no difference. */
export function differences(before: unknown, after: unknown, way: readonly string[] = []): string[] {
  if (isDeepStrictEqual(before, after)) return []
  const place = `\`${way.join(' > ')}\``
  if (before === undefined) return [`${place} added: ${show(after)}`]
  if (after === undefined) return [`${place} removed: ${show(before)}`]
  if (isBranch(before) && isBranch(after))
    return pairs(before, after).flatMap(([key, old, current]) => differences(old, current, [...way, key]))
  if (!Array.isArray(before) || !Array.isArray(after))
    return [`${place} changed: ${show(before)}, now ${show(after)}`]
  const lost = before.filter((item) => !includes(after, item))
  const gained = after.filter((item) => !includes(before, item))
  if (lost.length === 1 && gained.length === 1 && isBranch(lost[0]) && isBranch(gained[0]))
    return differences(lost[0], gained[0], [...way, String(before.indexOf(lost[0]))])
  if (lost.length + gained.length === 0) return [`${place} in another order`]
  return [
    ...lost.map((item) => `${place} without ${show(item)}`),
    ...gained.map((item) => `${place} with ${show(item)}`),
  ]
}

const isBranch = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)
