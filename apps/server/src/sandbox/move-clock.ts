import type { Request, RequestHandler } from 'express'
import { advanceClock, readAdvancedSeconds, readClock } from '../database/clock.ts'
import { Failure } from '../failure.ts'
import type { Service } from '../operation.ts'
import type { PartnerWriter } from '../partners/partner-cache.ts'
import { MAX_ADVANCE_SECONDS } from './bootstrap-format.ts'

/** False: all moves together would exceed `maxSeconds`, so the clock did not move. */
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

/** `{"advance_seconds": 301}`: everything that would expire in five minutes has now expired. */
export const moveClock =
  (service: Service): RequestHandler =>
  async (req, res) => {
    const seconds = readSeconds(req)
    if (seconds > MAX_ADVANCE_SECONDS || !(await advanceTime(service, seconds, MAX_ADVANCE_SECONDS)))
      throw tooFar(
        await readAdvancedSeconds(service.db),
        'Start again with an empty TIWALA_DATA_DIR or database',
      )
    res.json({ now: await readClock(service.db) })
  }

/** `advance_seconds` of the body. */
export function readSeconds(req: Request): number {
  const seconds = (req.body as { advance_seconds?: unknown } | null | undefined)?.advance_seconds
  if (typeof seconds !== 'number' || !(seconds > 0)) throw invalid('must be a number above 0')
  return seconds
}

/** `otherwise`: what to do if the clock can no longer be moved. */
export function tooFar(advancedSeconds: number, otherwise: string): Failure {
  const left = Math.max(0, Math.floor(MAX_ADVANCE_SECONDS - advancedSeconds))
  const why = `the clock can be moved by ${MAX_ADVANCE_SECONDS} seconds in all, and ${left} are left`
  return invalid(left > 0 ? `must be at most ${left}: ${why}` : `is too much: ${why}. ${otherwise}`)
}

const invalid = (error: string) => new Failure('validation_failed', { errors: { advance_seconds: [error] } })
