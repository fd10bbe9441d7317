// A streaming standby of Debian's PostgreSQL answers the lists and the reads of the audit (`TIWALA_REPLICA_URL`).
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { checkPostgres } from '../src/database/require-postgres.ts'
import { freePort } from '../src/testing/free-port.ts'
import { DEFAULT_TIMEOUTS, startServers } from '../stress/servers.ts'
import { connectPatiently } from '../test/kit/connect.ts'
import { temporaryFolder } from '../test/kit/temporary-resources.ts'
import { isRoot, makeFolder, postgresFolder, startProgram } from './programs.ts'

const SOON = { timeout: 30_000, interval: 50 }

/** Starts a PostgreSQL after `prepare` has made its data folder. */
async function startPostgres(folder: string, command: string, parameters: string[]) {
  makeFolder(folder)
  const [port, data, bin] = [await freePort(), join(folder, 'data'), postgresFolder()!]
  const prepare = [join(bin, command), '--pgdata', data, ...parameters]
  if (isRoot()) prepare.unshift('setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups')
  execFileSync(prepare[0]!, prepare.slice(1), { cwd: folder, stdio: 'ignore' })
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=100']
  const given = ['-D', data, '-p', String(port), ...settings.flatMap((each) => ['-c', each])]
  const program = startProgram('postgres', given, folder, { PATH: bin })
  const url = `postgres://tiwala@127.0.0.1:${port}/postgres`
  const { db, isUp, close } = connectPatiently(url)
  await vi.waitUntil(isUp, SOON)
  return {
    url,
    port,
    db,
    kill: () => program.end('SIGQUIT'),
    [Symbol.asyncDispose]: async () => {
      await close()
      await program.end('SIGQUIT')
    },
  }
}

const startPrimary = (folder: string) =>
  startPostgres(join(folder, 'primary'), 'initdb', ['--auth=trust', '--username=tiwala'])

/** Starts a copy of a PostgreSQL: a standby with `--write-recovery-conf`, and otherwise a database of its own. */
const copyPostgres = ({ port }: { port: number }, folder: string, name: string, ...parameters: string[]) =>
  startPostgres(join(folder, name), 'pg_basebackup', [
    '--host=127.0.0.1',
    `--port=${port}`,
    '--username=tiwala',
    '--checkpoint=fast',
    ...parameters,
  ])

test('lists and the audit come from the standby, which may be behind, and all else from the primary', async () => {
  await using folder = await temporaryFolder()
  await using keys = await temporaryFolder()
  execFileSync('chmod', ['755', folder.path])
  await using primary = await startPrimary(folder.path)
  await using standby = await copyPostgres(primary, folder.path, 'standby', '--write-recovery-conf')
  await using servers = await startServers(
    1,
    { url: primary.url, folder: keys.path },
    { ...DEFAULT_TIMEOUTS, TIWALA_REPLICA_URL: standby.url },
  )
  const [api] = servers.clients as [(typeof servers.clients)[number]]
  const disclose = async () => {
    const trackingNo = await api.createPendingRecord()
    expect((await api.accept(trackingNo)).status).toBe(200)
    expect((await api.inquire(trackingNo)).status).toBe(200)
    return trackingNo
  }
  const listed = async () =>
    (await api.operator('listAuditEvents', { query: { limit: 100 } })).body.events.map(
      (event) => event.tracking_no,
    )
  const first = await disclose()
  await expect.poll(listed, SOON).toContain(first)
  await vi.waitUntil(async () => {
    const { first_fault, checked_rows } = (await api.operator('verifyAudit', { query: { limit: 1_000 } }))
      .body
    expect(first_fault).toBeNull()
    return checked_rows > 0
  }, SOON)

  await sql`select pg_wal_replay_pause()`.execute(standby.db)
  const second = await disclose()
  expect(await listed()).not.toContain(second)
  expect((await api.operator('verifyAudit', { query: { limit: 1_000 } })).body.first_fault).toBeNull()
  await sql`select pg_wal_replay_resume()`.execute(standby.db)
  await expect.poll(listed, SOON).toContain(second)

  await standby.kill()
  await expect.poll(() => listed().catch(({ message }: Error) => message), SOON).toContain('unavailable')
  await disclose()
  expect((await api.operator('listPartners', { query: {} })).status).toBe(200)
  expect(servers.died).toEqual([])
})

test('a standby with data from before a restore of the primary stops the start', async () => {
  await using folder = await temporaryFolder()
  await using keys = await temporaryFolder()
  execFileSync('chmod', ['755', folder.path])
  await using primary = await startPrimary(folder.path)
  const problemOf = async (databaseUrl: string, replicaUrl: string) => {
    const { checks } = await checkPostgres({ databaseUrl, replicaUrl, requestMs: 1_000 })
    return checks.find(({ name }) => name === 'replica')!
  }
  const newest = async ({ db }: typeof primary) =>
    (await sql<{ number: number }>`select max(number) as number from audit_checkpoint`.execute(db)).rows[0]!
      .number
  const seal = async (target: typeof primary, url: string) => {
    await using servers = await startServers(1, { url, folder: keys.path }, DEFAULT_TIMEOUTS)
    const before = await newest(target)
    await servers.clients[0]!.createPendingRecord()
    await vi.waitUntil(async () => (await newest(target)) > before, SOON)
  }
  await using standby = await copyPostgres(primary, folder.path, 'standby', '--write-recovery-conf')
  // Nothing is in the database yet.
  expect((await problemOf(primary.url, standby.url)).problem).toBeUndefined()
  await seal(primary, primary.url)
  // As restored from a backup of this time: a database of its own, with the same identifier.
  await using restored = await copyPostgres(primary, folder.path, 'restored')
  await vi.waitUntil(async () => (await newest(standby)) === (await newest(primary)), SOON)
  expect((await problemOf(primary.url, standby.url)).problem).toBeUndefined()
  expect((await problemOf(restored.url, standby.url)).problem).toBeUndefined()

  await seal(primary, primary.url)
  await vi.waitUntil(async () => (await newest(standby)) === (await newest(primary)), SOON)
  expect((await problemOf(primary.url, standby.url)).problem).toBeUndefined()
  const refused = {
    problem: expect.stringContaining('leads to a standby whose audit the primary does not have') as string,
  }
  expect(await problemOf(restored.url, standby.url)).toMatchObject(refused)
  // The restored primary goes on with checkpoints of its own.
  while ((await newest(restored)) <= (await newest(standby))) await seal(restored, restored.url)
  expect(await problemOf(restored.url, standby.url)).toMatchObject(refused)
  expect((await problemOf(restored.url, standby.url)).isWarning).toBeUndefined()
})
