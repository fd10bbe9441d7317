import type { Ratio } from './section.ts'

/** Compares a ratio with its threshold and target, in words. Empty if it has neither these nor a note. */
export function verdictOf({ value, threshold, target, isAtMost, note }: Ratio): string {
  const isMet = (limit: number) => (isAtMost ? value <= limit : value >= limit)
  const parts: (string | undefined)[] = []
  if (threshold !== undefined) {
    if (!isMet(threshold)) parts.push('threshold missed')
    else if (target === undefined) parts.push('threshold met')
    else parts.push(isMet(target) ? 'target met' : 'threshold met, target missed')
  }
  return [...parts, note].filter(Boolean).join('; ')
}
