import { Failure } from '../failure.ts'
import { MAX_ADVANCE_SECONDS } from './bootstrap-format.ts'
import { ownHandler } from './own-handler.ts'
import { announceOlder, makeOlder } from './owned-rows.sql.ts'
import { addAdvance, DEFAULT_ID } from './sandboxes.sql.ts'

/** `{"advance_seconds": 301}`: everything of this sandbox that would expire in five minutes has now expired. */
export const moveClock = ownHandler<{ advance_seconds: number }>(
  { advance_seconds: { type: 'number', minimum: 1 } },
  async ({ db, config, partnerCache }, sandbox, { advance_seconds }) => {
    if (sandbox.sandbox_id === DEFAULT_ID && !config.isLocalSandbox)
      throw new Failure('not_found', {
        message: 'The default sandbox is for everyone: its clock stays. Make your own: POST /sandbox.',
      })
    const advancedSeconds = await db.transaction().execute(async (tx) => {
      const seconds = await addAdvance(tx, sandbox.id, advance_seconds, MAX_ADVANCE_SECONDS)
      if (seconds !== undefined) await makeOlder(tx, sandbox, advance_seconds)
      return seconds
    })
    if (advancedSeconds === undefined) throw tooFar(sandbox.advanced_seconds)
    // The transaction is committed: secrets may have expired.
    partnerCache.invalidate()
    await announceOlder(db, sandbox)
    return { body: { advanced_seconds: advancedSeconds } }
  },
)

function tooFar(advancedSeconds: number): Failure {
  const left = Math.max(0, Math.floor(MAX_ADVANCE_SECONDS - advancedSeconds))
  const why = `the clock can be moved by ${MAX_ADVANCE_SECONDS} seconds in all, and ${left} are left`
  const error =
    left > 0 ? `must be at most ${left}: ${why}` : `is too much: ${why}. Make a new sandbox: POST /sandbox`
  return new Failure('validation_failed', { errors: { advance_seconds: [error] } })
}
