import { type RawBuilder, sql } from 'kysely'
import type { Database } from './connect.ts'

/** Deletes at most `limit` rows that are old; returns how many. `key`: the columns of the primary key. */
export async function deleteOldRows(
  db: Database,
  table: string,
  key: string[],
  isOld: RawBuilder<unknown>,
  limit: number,
): Promise<number> {
  const columns = sql.join(key.map((column) => sql.ref(column)))
  const { rows } = await sql`
    delete from ${sql.table(table)} where (${columns}) in (
      select ${columns} from ${sql.table(table)} where ${isOld} limit ${limit}
    ) returning 1`.execute(db)
  return rows.length
}
