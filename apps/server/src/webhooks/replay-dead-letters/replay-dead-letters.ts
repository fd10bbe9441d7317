import { readTime } from '../../database/clock.ts'
import type { Operation } from '../../operation.ts'
import { restartDead } from './replay-dead-letters.sql.ts'

export const replayDeadLetters: Operation<'replayDeadLetters'> = async (
  { db },
  { caller, body, requestId },
) => {
  const { partner_code: partnerCode, type, limit } = body
  const selection = { partnerCode, type, from: readTime('from', body.from), to: readTime('to', body.to) }
  const action = { kind: 'dead_letters.replayed', actor: caller.subject, requestId }
  const { replayed, next } = await restartDead(db, selection, limit, action)
  return { status: 200, body: { replayed, has_more: next !== null } }
}
