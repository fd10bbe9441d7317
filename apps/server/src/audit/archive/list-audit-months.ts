import type { Schemas } from '@tiwala/contract'
import type { Operation } from '../../operation.ts'
import { findClosedMonths } from './archive.sql.ts'
import { findArchivedMonths, findStoredMonths } from './list-audit-months.sql.ts'

const MAX_MONTHS = 120

export const listAuditMonths: Operation<'listAuditMonths'> = async ({ db }) => {
  const stored = await findStoredMonths(db, MAX_MONTHS)
  const closed = new Map((await findClosedMonths(db, '999912')).map(({ name, month }) => [name, month]))
  // Last: a month that is archived meanwhile is in both.
  const archived = await findArchivedMonths(db, MAX_MONTHS)
  const isArchived = new Set(archived.map(({ name }) => name))
  const months: Schemas['AuditMonth'][] = [
    ...stored
      .filter(({ name }) => !isArchived.has(name))
      .map(({ name, events, bytes }) => ({
        name,
        status: closed.has(name) ? ('CLOSED' as const) : ('OPEN' as const),
        month: toMonth(closed.get(name) ?? name),
        events,
        bytes,
        first_checkpoint: null,
        last_checkpoint: null,
        archived_at: null,
      })),
    ...archived.map(({ name, events, first_checkpoint, last_checkpoint, archived_at }) => {
      const isEmpty = first_checkpoint > last_checkpoint
      return {
        name,
        status: 'ARCHIVED' as const,
        month: toMonth(name),
        events,
        bytes: null,
        first_checkpoint: isEmpty ? null : first_checkpoint,
        last_checkpoint: isEmpty ? null : last_checkpoint,
        archived_at: archived_at.toISOString(),
      }
    }),
  ]
  return { status: 200, body: { months: months.slice(0, MAX_MONTHS) } }
}

/** 2026-11 for 202611. */
const toMonth = (name: string): string | null =>
  /^\d{6}$/.test(name) ? `${name.slice(0, 4)}-${name.slice(4)}` : null
