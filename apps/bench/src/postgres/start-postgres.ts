import { join } from 'node:path'
import { startPostgres as startTestPostgres } from '@tiwala/server/testing-postgres'
import type pg from 'pg'
import { withDatabase } from './databases.ts'

export type Postgres = { url: string; pid: number; version: string; stop(): Promise<void> }

/**
 * Commits are durable, for all contenders alike: `fsync`, `synchronous_commit` and `full_page_writes` keep
 * their default, on. The buffers have the size of a small production server, instead of the default 128 MB.
 * The WAL limit is high, so that no checkpoint slows the round of only one contender.
 */
export const POSTGRES_SETTINGS = {
  max_connections: '400',
  shared_buffers: '1GB',
  max_wal_size: '8GB',
  checkpoint_timeout: '30min',
}

/** Starts a PostgreSQL server for the bench in a folder. No installation is necessary. */
export async function startPostgres(folder: string): Promise<Postgres> {
  const { url, stop } = await startTestPostgres(folder, POSTGRES_SETTINGS)
  return { url, stop, ...(await withDatabase(url, (client) => readVersionAndPid(client, folder))) }
}

/** The first line of `postmaster.pid` is the id of the process that is the parent of all others. */
async function readVersionAndPid(
  client: pg.Client,
  folder: string,
): Promise<{ version: string; pid: number }> {
  const { rows } = await client.query<{ version: string; pid: string }>(
    `select current_setting('server_version') as version, split_part(pg_read_file($1), chr(10), 1) as pid`,
    [join(folder, 'data', 'postmaster.pid')],
  )
  return { version: rows[0]!.version, pid: Number(rows[0]!.pid) }
}
