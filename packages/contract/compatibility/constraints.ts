import { isDeepStrictEqual } from 'node:util'
import { allows, includes } from './effective-schema.ts'
import { show } from './json.ts'
import type { Flow } from './place.ts'

/** Fewer values than before, more, or others. */
export type Change = 'narrower' | 'wider' | 'different'

/** Keywords that allow fewer values where they are present. */
const NARROWING = new RegExp(
  `^(${[
    'enum|type|format|pattern|not|multipleOf|uniqueItems',
    '(exclusiveM|m)(in|ax)\\w*|x-max\\S*',
    'items|prefixItems|contains|additionalProperties|propertyNames|dependent\\w+|content\\w+',
  ].join('|')})$`,
)

/** How a keyword of a schema changes what is allowed. A change of another keyword may break. */
export function compareKeyword(key: string, before: unknown, after: unknown): Change | undefined {
  if (isDeepStrictEqual(before, after)) return undefined
  if (!NARROWING.test(key)) return 'different'
  if (before === undefined) return 'narrower'
  if (after === undefined) return 'wider'
  if (isEmpty(after)) return 'different'
  if (key === 'enum') return compareSets(before as unknown[], after as unknown[], includes)
  if (key === 'type') return compareSets(before as string[], after as string[], allows)
  if (/^(max|exclusiveMax|x-max)/.test(key)) return Number(after) < Number(before) ? 'narrower' : 'wider'
  if (/^(min|exclusiveMin)/.test(key)) return Number(after) > Number(before) ? 'narrower' : 'wider'
  return 'different'
}

/** No value at all is a contradiction between keywords, such as a `type` that none of the values has. */
const isEmpty = (values: unknown) => Array.isArray(values) && values.length === 0

function compareSets<T>(before: T[], after: T[], has: (set: T[], value: T) => boolean): Change | undefined {
  const hasLost = before.some((value) => !has(after, value))
  const hasGained = after.some((value) => !has(before, value))
  if (hasLost && hasGained) return 'different'
  if (hasLost) return 'narrower'
  return hasGained ? 'wider' : undefined
}

/** The service may accept more than before, and may send less. */
export const isBreaking = (flow: Flow, change: Change | undefined) =>
  change === 'different' || change === (flow === 'received' ? 'narrower' : 'wider')

/** A breaking change of a keyword in plain words. */
export function describe(flow: Flow, change: Change, key: string, before: unknown, after: unknown): string {
  const edit = `\`${key}\` was ${show(before)} and is ${show(after)}`
  if (change === 'different' && !Array.isArray(before))
    return `${edit}. A program cannot tell whether this allows more or less, so it counts as both`
  return flow === 'received'
    ? `${edit}: the service rejects values that it accepted`
    : `${edit}: the service can send values that callers do not expect`
}

export const ADVICE = {
  received: 'Accept everything that the published document accepts.',
  sent: 'Send only what the published document allows. Put new information in a new operation or header.',
}
