import { sql } from 'kysely'
import { NOW } from '../database/clock.ts'
import type { Database } from '../database/connect.ts'
import { deleteOldRows } from '../database/delete-old-rows.ts'

/** Deletes codes that expired long ago, and their tokens; returns how many codes. */
export function deleteExpiredCodes(db: Database, keptHours: number, limit: number): Promise<number> {
  const isOld = sql`expires_at < ${NOW} - make_interval(hours => ${keptHours})`
  return deleteOldRows(db, 'exchange_code', ['id'], isOld, limit)
}
