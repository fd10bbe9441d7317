import type { RequestHandler } from 'express'
import { advanceClock, readAdvancedSeconds, readClock } from '../database/clock.ts'
import type { Database } from '../database/connect.ts'
import { Failure } from '../failure.ts'
import type { Service } from '../operation.ts'
import type { PartnerWriter } from '../partners/partner-cache.ts'

/** Every lifetime ends within 400 days, that of a new secret, too. Further on no secret would be good that a partner was given before. */
const MOST_SECONDS = 400 * 86_400

/** False: all moves together would go beyond `maxSeconds`, so the clock did not move. */
export async function advanceTime(
  { db, partnerCache }: PartnerWriter,
  seconds: number,
  maxSeconds: number | null = null,
): Promise<boolean> {
  const hasMoved = await advanceClock(db, seconds, maxSeconds)
  // Secrets may have expired.
  if (hasMoved) partnerCache.invalidate()
  return hasMoved
}

/** `{"advance_seconds": 301}`: what would end in five minutes has ended now. */
export const moveClock =
  (service: Service): RequestHandler =>
  async (req, res) => {
    const seconds = (req.body as { advance_seconds?: unknown } | null | undefined)?.advance_seconds
    if (typeof seconds !== 'number' || !(seconds > 0)) throw wrong('must be a number above 0')
    if (seconds > MOST_SECONDS || !(await advanceTime(service, seconds, MOST_SECONDS))) throw wrong(await leftOf(service.db))
    res.json({ now: await readClock(service.db) })
  }

async function leftOf(db: Database): Promise<string> {
  const left = Math.max(0, Math.floor(MOST_SECONDS - (await readAdvancedSeconds(db))))
  const why = `the clock can be moved by ${MOST_SECONDS} seconds in all, and ${left} are left`
  return left > 0 ? `must be at most ${left}: ${why}` : `is too much: ${why}. Start again with an empty TIWALA_DATA_DIR or database`
}

const wrong = (what: string) => new Failure('validation_failed', { errors: { advance_seconds: [what] } })
