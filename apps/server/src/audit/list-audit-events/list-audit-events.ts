import type { Schemas } from '@tiwala/contract'
import { readTime } from '../../database/clock.ts'
import { paginate, locateNumber } from '../../database/pagination.ts'
import type { Operation } from '../../operation.ts'
import type { ArchivedEntry } from '../archive/archive-files.ts'
import { archiveOf, findArchives } from '../archive/archive.sql.ts'
import { readSealedEvents } from '../archive/read-archive.ts'
import { toLeaf } from '../leaf.ts'
import { findEvents, type EventRow } from './list-audit-events.sql.ts'

export const listAuditEvents: Operation<'listAuditEvents'> = async (service, { query }) => {
  const { db } = service
  const filter = { ...query, from: readTime('from', query.from), to: readTime('to', query.to) }
  const { rows, next_cursor } = await paginate(query, {
    locate: locateNumber,
    read: (before, limit) => findEvents(db, filter, before, limit),
    toCursor: ({ id }) => String(id),
  })
  // After the events: if they are not in the archive now, they were in the database when it was read.
  const archive =
    query.checkpoint === undefined ? undefined : archiveOf(await findArchives(db), query.checkpoint)
  if (!archive) return { status: 200, body: { events: rows.map(toAuditEvent), next_cursor } }
  const entries = await readSealedEvents(service, archive, query.checkpoint!)
  const events = selectEvents(entries, filter)
  const page = await paginate(query, {
    locate: (cursor) => {
      const index = events.findIndex(({ id }) => id === locateNumber(cursor))
      return index < 0 ? undefined : index
    },
    read: async (before = -1, limit) => events.slice(before + 1, before + 1 + limit),
    toCursor: ({ id }) => String(id),
  })
  return { status: 200, body: { events: page.rows, next_cursor: page.next_cursor } }
}

export function toAuditEvent(row: EventRow): Schemas['AuditEvent'] {
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

type Filter = {
  kind?: string
  partner_code?: string
  actor?: string
  from: Date | undefined
  to: Date | undefined
}

/** The archived events that meet the filter, in the order of the list. */
const selectEvents = (
  entries: ArchivedEntry[],
  { kind, partner_code, actor, from, to }: Filter,
): Schemas['AuditEvent'][] =>
  entries
    .flatMap((entry) => ('event' in entry ? [entry.event] : []))
    .filter(
      (event) =>
        (kind === undefined || event.kind === kind) &&
        (partner_code === undefined || event.partner_code === partner_code) &&
        (actor === undefined || event.actor === actor) &&
        (from === undefined || new Date(event.occurred_at) >= from) &&
        (to === undefined || new Date(event.occurred_at) < to),
    )
    .toSorted((a, b) =>
      a.occurred_at === b.occurred_at ? b.id - a.id : a.occurred_at < b.occurred_at ? 1 : -1,
    )
