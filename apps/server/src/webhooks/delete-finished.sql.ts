import { sql } from 'kysely'
import { NOW } from '../database/clock.ts'
import type { Database } from '../database/connect.ts'
import { deleteOldRows } from '../database/delete-old-rows.ts'

/**
 * Deletes events that were delivered or given up long ago; returns how many. The last attempt ended them, and
 * can be days after they occurred. That they also occurred long ago is what the index `callback_event_finished`
 * finds.
 */
export function deleteFinished(db: Database, keptDays: number, limit: number): Promise<number> {
  const cutoff = sql`${NOW} - make_interval(days => ${keptDays})`
  const isOld = sql`status <> 'PENDING' and occurred_at < ${cutoff}
    and coalesce(last_attempt_at, occurred_at) < ${cutoff}`
  return deleteOldRows(db, 'callback_event', ['id'], isOld, limit)
}
