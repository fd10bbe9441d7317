import type { Ratio } from './section.ts'

/** In words, how a ratio fares; empty where nothing is demanded of it. */
export function verdictOf({ value, bar, aim, isAtMost, note }: Ratio): string {
  const reaches = (limit: number) => (isAtMost ? value <= limit : value >= limit)
  const said =
    bar === undefined ? '' : !reaches(bar) ? 'bar missed' : aim === undefined ? 'bar met' : reaches(aim) ? 'aim met' : 'bar met, aim missed'
  return [said, note].filter(Boolean).join('; ')
}
