import { join } from 'node:path'
import { startPostgres as startAnyPostgres } from '@tiwala/server/testing-postgres'
import type pg from 'pg'
import { withDatabase } from './databases.ts'

export type Postgres = { url: string; pid: number; version: string; stop(): Promise<void> }

/**
 * As durable as in life: a commit is on the disk before it is acknowledged (`fsync`, `synchronous_commit` and `full_page_writes` are at
 * their defaults, on), for every contender alike. The buffers are those of a small production server instead of PostgreSQL's 128 MB,
 * and the WAL may grow enough that no checkpoint falls into one contender's round only.
 */
export const POSTGRES_SETTINGS = { max_connections: '400', shared_buffers: '1GB', max_wal_size: '8GB', checkpoint_timeout: '30min' }

/** A PostgreSQL of the bench's own, in the given folder; nothing has to be installed. */
export async function startPostgres(folder: string): Promise<Postgres> {
  const { url, stop } = await startAnyPostgres(folder, POSTGRES_SETTINGS)
  return { url, stop, ...(await withDatabase(url, (client) => describe(client, folder))) }
}

/** The first line of `postmaster.pid` is the process that all the others are children of. */
async function describe(client: pg.Client, folder: string): Promise<{ version: string; pid: number }> {
  const { rows } = await client.query<{ version: string; pid: string }>(
    `select current_setting('server_version') as version, split_part(pg_read_file($1), chr(10), 1) as pid`,
    [join(folder, 'data', 'postmaster.pid')],
  )
  return { version: rows[0]!.version, pid: Number(rows[0]!.pid) }
}
