// A PostgreSQL that pgBackRest backs up, as `OPERATIONS.md` describes it. The test can delete its data, and
// restore them.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onServer } from '../src/testing/database.ts'
import { freePort } from '../src/testing/free-port.ts'
import { acceptsWrites } from './accepts-writes.ts'
import { makeFolder, postgresFolder, type Program, run, startProgram } from './programs.ts'

const PASSWORD = 'postgres'
const POLL_MS = 50
const START_WITHIN_MS = 180_000

export async function startBackedUpPostgres(folder: string) {
  makeFolder(folder)
  const [port, data, config] = [await freePort(), join(folder, 'data'), join(folder, 'pgbackrest.conf')]
  const url = `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`
  const programs = postgresFolder()!
  writeFileSync(join(folder, 'password'), PASSWORD)
  writeFileSync(
    config,
    `[global]
repo1-path=${folder}/repository
log-path=${folder}/log
lock-path=${folder}/lock
start-fast=y
[tiwala]
pg1-path=${data}
pg1-port=${port}
pg1-socket-path=${folder}
pg1-user=postgres
`,
  )
  for (const name of ['repository', 'log', 'lock']) makeFolder(join(folder, name))
  const backRest = (...parameters: string[]) =>
    run('pgbackrest', [`--config=${config}`, '--stanza=tiwala', ...parameters], folder)
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    max_connections: 200,
    archive_mode: 'on',
    archive_command: `pgbackrest --config=${config} --stanza=tiwala archive-push %p`,
  }

  let server: Program
  async function start(): Promise<void> {
    const parameters = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    server = startProgram(join(programs, 'postgres'), ['-D', data, ...parameters], folder, 'postgres')
    for (const endsAtMs = performance.now() + START_WITHIN_MS; performance.now() < endsAtMs;) {
      if (await acceptsWrites(url)) return
      await sleep(POLL_MS)
    }
    throw new Error(`PostgreSQL does not accept writes. Its log is in ${folder}.`)
  }
  /** SIGINT ends the connections. PostgreSQL then archives its last writes. */
  const stop = () => server.end('SIGINT')

  const access = ['--auth-local=trust', '--auth-host=scram-sha-256', `--pwfile=${folder}/password`]
  await run(join(programs, 'initdb'), ['-D', data, '-U', 'postgres', '--encoding=UTF8', ...access], folder)
  await start()
  await backRest('stanza-create')
  return {
    url,
    backUp: (type: 'full' | 'incr') => backRest('backup', `--type=${type}`),
    /** The time of the database, as a target of `restore`. */
    async now(): Promise<string> {
      let now = ''
      await onServer(url, async (client) => {
        const { rows } = await client.query<{ now: string }>('select clock_timestamp()::text as now')
        now = rows[0]!.now
      })
      return now
    },
    /** Stops, deletes the data and restores them from the repository: all, or as they were at a time. */
    async deleteAndRestore(time?: string): Promise<void> {
      await stop()
      rmSync(data, { recursive: true })
      makeFolder(data)
      await backRest(
        'restore',
        ...(time ? ['--type=time', `--target=${time}`, '--target-action=promote'] : []),
      )
      await start()
    },
    [Symbol.asyncDispose]: stop,
  }
}
