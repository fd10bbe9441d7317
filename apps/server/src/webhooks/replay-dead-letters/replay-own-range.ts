import { readTime } from '../../database/clock.ts'
import { invalidCursor } from '../../database/pagination.ts'
import type { Operation } from '../../operation.ts'
import { findOwnPosition } from '../own-events.sql.ts'
import { restartOwn } from './replay-dead-letters.sql.ts'

export const replayOwnRange: Operation<'replayOwnRange'> = async ({ db }, { caller, body, requestId }) => {
  const { partnerId } = caller
  const { status, type, cursor, limit } = body
  const filter = {
    partnerId,
    status,
    type,
    since: readTime('since', body.since),
    until: readTime('until', body.until),
  }
  const after = cursor === undefined ? undefined : await findOwnPosition(db, partnerId, cursor)
  if (cursor !== undefined && !after) throw invalidCursor()
  const action = { kind: 'deliveries.replayed', actor: caller.memberId, requestId }
  const { replayed, next } = await restartOwn(db, filter, after, limit, action)
  return { status: 200, body: { replayed, next_cursor: next } }
}
