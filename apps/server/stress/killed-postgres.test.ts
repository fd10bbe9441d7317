// kill -9 of PostgreSQL processes under load.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { onServer } from '../src/testing/database.ts'
import type { OwnPostgres } from '../src/testing/postgres.ts'
import { temporaryFolder, temporaryPostgres } from '../test/kit/temporary-resources.ts'
import { findInconsistencies } from './check-consistency.ts'
import { measureRecoveryMs, DEFAULT_TIMEOUTS, startServers } from './servers.ts'
import { startTraffic } from './traffic.ts'

const [PROCESSES, BACKENDS, POSTMASTERS] = [3, 20, 5]
const MAX_PAUSE_MS = 1_500
const MAX_DOWNTIME_MS = 3_000
const MAX_RECOVERY_MS = 2_000

/** As after the crash of a backend: PostgreSQL terminates all other backends and recovers. */
async function killBackend(postgres: OwnPostgres): Promise<void> {
  const observer = new pg.Client(postgres.url)
  observer.on('error', () => {})
  await observer.connect()
  const hasEnded = new Promise((resolve) => observer.once('end', resolve))
  const { rows } = await observer.query<{ pid: number }>(`
    select pid from pg_stat_activity
     where backend_type = 'client backend' and pid <> pg_backend_pid() order by random() limit 1`)
  process.kill(rows[0]!.pid, 'SIGKILL')
  await hasEnded
  while (!(await postgres.accepts())) await sleep(5)
}

async function killPostmaster(postgres: OwnPostgres): Promise<void> {
  postgres.kill()
  await sleep(Math.random() * MAX_DOWNTIME_MS)
  await postgres.start()
}

test(`${BACKENDS} backends and ${POSTMASTERS} postmasters killed: no loss, no exit, ready soon`, async () => {
  await using folder = await temporaryFolder()
  await using postgres = await temporaryPostgres({ max_connections: '200' })
  await using servers = await startServers(
    PROCESSES,
    { url: postgres.url, folder: folder.path },
    DEFAULT_TIMEOUTS,
  )
  await using traffic = startTraffic(servers)
  const kills = [
    ...Array<typeof killBackend>(BACKENDS).fill(killBackend),
    ...Array<typeof killBackend>(POSTMASTERS).fill(killPostmaster),
  ]
  const recoveryMs: number[] = []
  for (const kill of kills) {
    await sleep(Math.random() * MAX_PAUSE_MS)
    await kill(postgres)
    recoveryMs.push(await measureRecoveryMs(servers))
  }
  await traffic.end()
  const { ledger } = traffic
  console.log(
    `${ledger.acknowledged.length} acknowledged;`,
    ledger.responses,
    'back after (ms)',
    recoveryMs.map(Math.round).join(' '),
  )
  expect(await findInconsistencies(postgres.url, ledger, servers.clients[0]!)).toEqual([])
  expect(servers.died).toEqual([])
  expect(ledger.responses['no response']).toBeUndefined()
  expect(ledger.responses['503 unavailable']).toBeGreaterThan(0)
  expect(Math.max(...recoveryMs)).toBeLessThan(MAX_RECOVERY_MS)
})

test('control: the check finds commits that were acknowledged before they were on disk', async () => {
  await using folder = await temporaryFolder()
  await using postgres = await temporaryPostgres({
    wal_writer_delay: '10s',
    wal_writer_flush_after: '1GB',
  })
  await using servers = await startServers(1, { url: postgres.url, folder: folder.path }, DEFAULT_TIMEOUTS)
  // The sessions set synchronous_commit, so only a transaction can turn it off. One that does not would write all before it to disk.
  await onServer(postgres.url, async (client) => {
    await client.query(`
      create function commit_early() returns trigger language plpgsql as $$
      begin perform set_config('synchronous_commit', 'off', true); return null; end $$`)
    await client.query(`do $$
      declare changed regclass;
      begin
        for changed in select oid from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace loop
          execute format('create trigger commit_early before insert or update or delete on %s
                            for each statement execute function commit_early()', changed);
        end loop;
      end $$`)
    await client.query('checkpoint')
  })
  await using traffic = startTraffic(servers)
  await sleep(3_000)
  await killPostmaster(postgres)
  await traffic.end()
  expect(await findInconsistencies(postgres.url, traffic.ledger, servers.clients[0]!)).toEqual(
    expect.arrayContaining([expect.stringContaining('acknowledged and not ')]),
  )
})
