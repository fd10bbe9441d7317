import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onServer } from '@tiwala/server/testing-database'
import { startPostgres } from '@tiwala/server/testing-postgres'
import { prepareTiwala } from './contenders/tiwala.ts'
import { openDatabases } from './fixtures/databases.ts'
import type { Plan } from './plan.ts'
import { log } from './rounds.ts'

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

export type Bench = Awaited<ReturnType<typeof openBench>>

/** Starts the servers and creates the fixtures that all benchmarks share. The stack removes all of them. */
export async function openBench(stack: AsyncDisposableStack, plan: Plan, stockUrl: string | undefined) {
  /** Logs, scripts and keys of this run. */
  const folder = await mkdtemp(join(tmpdir(), 'tiwala-bench-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  // PostgreSQL may run as another user, which must be able to traverse this folder.
  await chmod(folder, 0o711)
  log('Starting PostgreSQL')
  const postgres = await startPostgres(join(folder, 'postgres'), POSTGRES_SETTINGS)
  stack.defer(postgres.stop)
  const { rows } = await onServer(postgres.url, (client) =>
    client.query<{ server_version: string }>('show server_version'),
  )
  const tiwala = await prepareTiwala(folder)
  const databases = await openDatabases({ plan, tiwala }, stack, postgres.url)
  return {
    ...databases,
    plan,
    folder,
    tiwala,
    postgresPid: postgres.pid(),
    postgresVersion: rows[0]!.server_version,
    stockUrl,
  }
}
