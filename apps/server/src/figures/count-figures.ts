// Counts what partners send, for their figures (`readFigures`).
//
// Each process counts in memory, and adds its counts to the database every 5 seconds. So a request costs an addition, and
// overload, which the log of requests answers by dropping requests, loses no count. If the database fails, the counts wait. A process
// that crashes loses those of the last 5 seconds.
import { startPollLoop } from '../background/poll-loop.ts'
import { describeError } from '../describe-error.ts'
import type { Service } from '../operation.ts'
import { addFigures, type NewFigure } from './figures.sql.ts'

const FLUSH_EVERY_MS = 5_000
/** One statement stays short. */
const MAX_WRITTEN = 2_000
/** Counts of requests that only name a partner. Those of known partners are bounded by the number of partners. */
const MAX_NAMED = 5_000

/** The upper ends of the ranges of durations. The last one has all that took longer. */
const WITHIN_MS = [10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000]
export const withinMs = (durationMs: number): number =>
  WITHIN_MS.find((limit) => durationMs <= limit) ?? WITHIN_MS.at(-1)!

export type Figures = { add(figure: NewFigure): void; stop(): Promise<void> }

/** `writeAlso`: writes something else at the same times. */
export function startFigures(
  { db, log }: Pick<Service, 'db' | 'log'>,
  writeAlso: () => Promise<boolean> = async () => false,
): Figures {
  const counts = new Map<string, NewFigure>()
  let named = 0

  function add(figure: NewFigure): void {
    const { partner_id, secret_code, partner_code, kind, operation, outcome, within_ms } = figure
    const key = `${partner_id} ${secret_code} ${partner_code} ${kind} ${operation} ${outcome} ${within_ms}`
    const found = counts.get(key)
    if (found) {
      found.count = kind === 'limit' ? Math.max(found.count, figure.count) : found.count + figure.count
      return
    }
    if (partner_id === null && ++named > MAX_NAMED) return
    counts.set(key, { ...figure })
  }

  const flush = async (): Promise<boolean> => {
    const batch = [...counts].slice(0, MAX_WRITTEN)
    if (batch.length === 0) return false
    for (const [key] of batch) counts.delete(key)
    if (counts.size === 0) named = 0
    try {
      await addFigures(
        db,
        batch.map(([, figure]) => figure),
      )
      return batch.length === MAX_WRITTEN
    } catch (error) {
      for (const [, figure] of batch) add(figure)
      log.warn(describeError(error), 'figures of partners could not be stored; the next attempt follows')
      return false
    }
  }
  const writeAll = async () => [await flush(), await writeAlso()].includes(true)
  const loop = startPollLoop(FLUSH_EVERY_MS, writeAll)
  return {
    add,
    stop: async () => {
      await loop.end()
      while (await writeAll());
    },
  }
}
