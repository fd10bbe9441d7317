import { sql } from 'kysely'
import { NOW } from '../database/clock.ts'
import type { Database } from '../database/connect.ts'
import { deleteOldRows } from '../database/delete-old-rows.ts'

/** Deletes events that are delivered or dead and occurred long ago; returns how many. */
export function deleteFinished(db: Database, keptDays: number, limit: number): Promise<number> {
  const isOld = sql`status <> 'PENDING' and occurred_at < ${NOW} - make_interval(days => ${keptDays})`
  return deleteOldRows(db, 'callback_event', ['id'], isOld, limit)
}
