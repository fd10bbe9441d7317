import { sql } from 'kysely'
import { NOW } from '../database/clock.ts'
import type { Database } from '../database/connect.ts'
import { deleteOldRows } from '../database/delete-old-rows.ts'

/** The response to the first request with a key. `content` is encrypted. */
export type StoredResponse = { key_hmac: string; request_hash: string; content: string }

export async function findResponse(db: Database, keyHmacs: string[]): Promise<StoredResponse | undefined> {
  const { rows } = await sql<StoredResponse>`
    select key_hmac, request_hash, content from idempotent_response
     where key_hmac = any(${keyHmacs}) and clock_now() < expires_at`.execute(db)
  return rows[0]
}

/**
 * Stores the response in the transaction of its change. False: another request with this key was first. While that one
 * is in progress, this statement waits for it.
 */
export async function insertResponse(
  db: Database,
  { key_hmac, request_hash, content }: StoredResponse,
  seconds: number,
): Promise<boolean> {
  const { rows } = await sql`
    insert into idempotent_response as r (key_hmac, request_hash, content, expires_at)
    values (${key_hmac}, ${request_hash}, ${content}, clock_now() + make_interval(secs => ${seconds}))
    on conflict (key_hmac) do update
       set request_hash = excluded.request_hash, content = excluded.content, expires_at = excluded.expires_at
     where r.expires_at <= clock_now()
    returning 1`.execute(db)
  return rows.length > 0
}

export const deleteExpiredResponses = (db: Database, limit: number): Promise<number> =>
  deleteOldRows(db, 'idempotent_response', ['key_hmac'], sql`expires_at < ${NOW}`, limit)
