import type { RequestHandler } from 'express'
import { advanceClock, readClock } from '../database/clock.ts'
import type { Database } from '../database/connect.ts'
import { Failure } from '../http/failure.ts'
import type { Service } from '../operation.ts'
import { partnersChanged } from '../partners/door/remembered.ts'

/** A year: every lifetime but a secret's ends within it. */
const MOST_SECONDS = 366 * 86_400

export async function advanceTime(db: Database, seconds: number): Promise<void> {
  await advanceClock(db, seconds)
  // Their secrets may have expired.
  partnersChanged()
}

/** `{"advance_seconds": 301}`: what would end in five minutes has ended now. */
export const moveClock =
  ({ db }: Service): RequestHandler =>
  async (req, res) => {
    const seconds = (req.body as { advance_seconds?: unknown } | null | undefined)?.advance_seconds
    if (typeof seconds !== 'number' || !(seconds > 0 && seconds <= MOST_SECONDS))
      throw new Failure('validation_failed', { errors: { advance_seconds: [`must be a number above 0 and up to ${MOST_SECONDS}`] } })
    await advanceTime(db, seconds)
    res.json({ now: await readClock(db) })
  }
