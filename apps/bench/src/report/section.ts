import type { Rounds } from '../rounds.ts'

/**
 * A ratio with the threshold that it must meet and the target that it should meet. Both are minimums, or
 * maximums if `isAtMost` is set.
 */
export type Ratio = {
  name: string
  value: number
  threshold?: number
  target?: number
  isAtMost?: boolean
  note?: string
}

/** The results of one benchmark. `RESULTS.template.md` says what it measures, and how. */
export type Section = {
  ratios: Ratio[]
  rounds: Rounds
  notes?: string[]
}

/** Compares a ratio with its threshold and target, in words. Empty if it has neither these nor a note. */
export function verdictOf({ value, threshold, target, isAtMost, note }: Ratio): string {
  const isMet = (limit: number) => (isAtMost ? value <= limit : value >= limit)
  const words = (name: string, limit: number | undefined) =>
    limit === undefined ? [] : [`${name} ${isMet(limit) ? 'met' : 'missed'}`]
  const limits = [...words('threshold', threshold), ...words('target', target)].join(', ')
  return [limits, note].filter(Boolean).join('; ')
}
