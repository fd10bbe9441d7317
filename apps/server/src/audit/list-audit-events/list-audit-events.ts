import type { Schemas } from '@tiwala/contract'
import { readTime } from '../../database/clock.ts'
import { paginate, locateNumber } from '../../database/pagination.ts'
import type { Operation } from '../../operation.ts'
import { toLeaf } from '../leaf.ts'
import { findEvents, type EventRow } from './list-audit-events.sql.ts'

export const listAuditEvents: Operation<'listAuditEvents'> = async ({ db }, { query }) => {
  const filter = { ...query, from: readTime('from', query.from), to: readTime('to', query.to) }
  const { rows, next_cursor } = await paginate(query, {
    locate: locateNumber,
    read: (before, limit) => findEvents(db, filter, before, limit),
    toCursor: ({ id }) => String(id),
  })
  return { status: 200, body: { events: rows.map(toAuditEvent), next_cursor } }
}

function toAuditEvent(row: EventRow): Schemas['AuditEvent'] {
  const {
    id,
    occurred_at,
    kind,
    partner_code,
    tracking_no,
    request_id,
    actor,
    detail,
    reason,
    checkpoint,
    position,
    salt,
  } = row
  const seal =
    checkpoint === null || position === null || salt === null
      ? null
      : { checkpoint, position, leaf: toLeaf(row, salt) }
  return { id, occurred_at, kind, partner_code, tracking_no, request_id, actor, detail, reason, seal }
}
