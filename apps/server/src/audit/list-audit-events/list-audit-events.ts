import type { Schemas } from '@tiwala/contract'
import { isStorable, NOT_STORABLE } from '../../database/clock.ts'
import { paginate, locateNumber } from '../../database/pagination.ts'
import { Failure } from '../../failure.ts'
import type { Operation } from '../../operation.ts'
import { toLeaf } from '../leaf.ts'
import { findEvents, type EventRow } from './list-audit-events.sql.ts'

export const listAuditEvents: Operation<'listAuditEvents'> = async ({ db }, { query }) => {
  const filter = { ...query, from: timeOf('from', query.from), to: timeOf('to', query.to) }
  const { rows, next_cursor } = await paginate(query, {
    locate: locateNumber,
    read: (before, limit) => findEvents(db, filter, before, limit),
    toCursor: ({ id }) => String(id),
  })
  return { status: 200, body: { events: rows.map(toAuditEvent), next_cursor } }
}

/** The request validator checks only the form of a time, so it accepts a 13th month. */
function timeOf(field: 'from' | 'to', text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const time = new Date(text)
  if (!isStorable(time)) throw new Failure('validation_failed', { errors: { [field]: [NOT_STORABLE] } })
  return time
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
    checkpoint,
    position,
    salt,
  } = row
  const seal =
    checkpoint === null || position === null || salt === null
      ? null
      : { checkpoint, position, leaf: toLeaf(row, salt) }
  return { id, occurred_at, kind, partner_code, tracking_no, request_id, actor, detail, seal }
}
