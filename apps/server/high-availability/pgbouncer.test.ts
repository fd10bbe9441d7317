// PgBouncer of Debian in transaction mode, before the connections that serve requests: the start says what its pgbouncer.ini needs.
// Then three processes, with 60 such connections, share 5 of PostgreSQL under load, and no acknowledged action is lost.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { freePort } from '../src/testing/free-port.ts'
import { startPostgres } from '../src/testing/postgres.ts'
import { findInconsistencies } from '../stress/check-consistency.ts'
import { DEFAULT_TIMEOUTS, startServers } from '../stress/servers.ts'
import { startTraffic } from '../stress/traffic.ts'
import { startupErrorOf } from '../test/kit/server-process.ts'
import { temporaryFolder } from '../test/kit/temporary-resources.ts'
import { makeFolder, startProgram } from './programs.ts'

const PROCESSES = 3
const POOL_SIZE = 5
const LOAD_MS = 8_000

/** Starts PgBouncer. `line`: what the line of the database has besides its address. */
async function startPgBouncer(folder: string, databaseUrl: string, line: string) {
  makeFolder(folder)
  const [port, to] = [await freePort(), new URL(databaseUrl)]
  const database = `host=${to.hostname} port=${to.port} dbname=${to.pathname.slice(1)} user=${to.username} password=${to.password}`
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
tiwala = ${database} pool_size=${POOL_SIZE} ${line}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_client_conn = 1000
`,
  )
  const program = startProgram('pgbouncer', ['pgbouncer.ini'], folder)
  return {
    url: `postgres://tiwala@127.0.0.1:${port}/tiwala`,
    [Symbol.asyncDispose]: () => program.end('SIGTERM'),
  }
}

test('three processes share the connections of a PgBouncer in transaction mode', async () => {
  await using folder = await temporaryFolder()
  await using keys = await temporaryFolder()
  const postgres = await startPostgres(folder.path, {})
  const database = { url: postgres.url, folder: keys.path }
  let connectQuery: string
  {
    await using bouncer = await startPgBouncer(join(folder.path, 'without'), postgres.url, '')
    await sleep(1_000)
    const error = await startupErrorOf({
      DATABASE_URL: database.url,
      TIWALA_DATA_DIR: database.folder,
      TIWALA_POOLER_URL: bouncer.url,
    })
    connectQuery = /connect_query='.+'/.exec(error)![0]
  }
  await using bouncer = await startPgBouncer(join(folder.path, 'with'), postgres.url, connectQuery)
  await sleep(1_000)
  {
    await using servers = await startServers(PROCESSES, database, {
      ...DEFAULT_TIMEOUTS,
      TIWALA_POOLER_URL: bouncer.url,
    })
    await using traffic = startTraffic(servers)
    await sleep(LOAD_MS)
    const admin = new pg.Client(postgres.url)
    await admin.connect()
    const { rows } = await admin.query<{ connections: number }>(
      `select count(*)::int as connections from pg_stat_activity where application_name = 'tiwala-requests'`,
    )
    await admin.end()
    await traffic.end()
    const { acknowledged, responses } = traffic.ledger
    console.log(`${acknowledged.length} actions over ${rows[0]!.connections} connections`, responses)
    expect(rows[0]!.connections).toBeGreaterThan(0)
    expect(rows[0]!.connections).toBeLessThanOrEqual(POOL_SIZE)
    expect(acknowledged.length).toBeGreaterThan(100)
    expect(await findInconsistencies(postgres.url, traffic.ledger, servers.clients[0]!)).toEqual([])
    expect(servers.died).toEqual([])
  }
  await postgres.stop()
})
