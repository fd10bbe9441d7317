import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../references.ts'
import { includes, pairs, show } from './compare-schemas.ts'

/** Every difference between two documents, each on one line. The order of keys is no difference. */
export function differences(before: unknown, after: unknown, way: readonly string[] = []): string[] {
  if (isDeepStrictEqual(before, after)) return []
  const place = `\`${way.join(' > ')}\``
  if (typeof before === 'string' && typeof after === 'string') {
    const [old, current] = changedParts(before, after)
    return [`${place} changed: ${show(old)}, now ${show(current)}`]
  }
  if (before === undefined) return [`${place} added: ${show(after)}`]
  if (after === undefined) return [`${place} removed: ${show(before)}`]
  if (isObject(before) && isObject(after))
    return pairs(before, after).flatMap(([key, old, current]) => differences(old, current, [...way, key]))
  if (!Array.isArray(before) || !Array.isArray(after))
    return [`${place} changed: ${show(before)}, now ${show(after)}`]
  const lost = before.filter((item) => !includes(after, item))
  const gained = after.filter((item) => !includes(before, item))
  if (lost.length === 1 && gained.length === 1 && isObject(lost[0]) && isObject(gained[0]))
    return differences(lost[0], gained[0], [...way, String(before.indexOf(lost[0]))])
  if (lost.length + gained.length === 0) return [`${place} in another order`]
  return [
    ...lost.map((item) => `${place} without ${show(item)}`),
    ...gained.map((item) => `${place} with ${show(item)}`),
  ]
}

const CONTEXT = 30

/** Of two long texts, the part that differs and some of the text around it. */
function changedParts(before: string, after: string): [string, string] {
  const length = Math.min(before.length, after.length)
  let [start, end] = [0, 0]
  while (start < length && before[start] === after[start]) start++
  while (end < length - start && before.at(-1 - end) === after.at(-1 - end)) end++
  const from = Math.max(0, start - CONTEXT)
  const part = (text: string) => text.slice(from, text.length - Math.max(0, end - CONTEXT))
  return [part(before), part(after)]
}
