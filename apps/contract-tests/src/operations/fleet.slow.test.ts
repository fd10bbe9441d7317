// What an administrator sees of the processes of all machines, and of the other administrators.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { routes } from '@tiwala/contract'
import { basePathOf } from '@tiwala/kit/operations'
import { operatorApi } from '@tiwala/kit/users'
import { mintKey } from '@tiwala/server/testing'
import { startReadyProcess } from '@tiwala/server/testing-process'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { settingsBeside } from '../../stress/process-beside.ts'
import { readPages } from '../kit/read-pages.ts'
import { startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile({})
const settings = await settingsBeside(service)
const keyFile = join(service.config.dataDir, 'keys.json')
const { keys } = JSON.parse(await readFile(keyFile, 'utf8')) as { keys: object[] }
// One process has a new key, which the other lacks.
const newKey = mintKey('access-token')
const ring = JSON.stringify({ keys: [newKey, ...keys] })
const other = await startReadyProcess({ ...settings, TIWALA_KEY_RING: ring })
afterAll(() => other[Symbol.asyncDispose]())

/** The API of an administrator who has all scopes. */
const of = async (url: string) => operatorApi(url + basePathOf('operator'), await service.tokens.operator())
const read = async () => (await service.operator('readFleet', {})).body

describe('readFleet', () => {
  test('200: every process with its keys, and how far the tasks are', async () => {
    await expect.poll(async () => (await read()).processes.length).toBe(2)
    const { processes, ...fleet } = await read()
    expect(processes.every(({ is_running, schema }) => is_running && schema === fleet.schema)).toBe(true)
    const has = processes.map((one) => one.keys.some(({ kid }) => kid === newKey.kid))
    expect(has.filter(Boolean)).toEqual([true])
    expect(JSON.stringify(processes)).not.toContain(newKey.k)
    expect(fleet).toMatchObject({ record_days_ahead: 7, audit_months_ahead: 2, unsafe_settings: [] })
    expect(fleet.deliveries).toMatchObject({ dead: 0 })
    // A service of the tests got its connections ready-made, so it does not ask for them.
    const { connections, max_connections } = (await (await of(other.url))('readFleet', {})).body
    expect(connections.find(({ purpose }) => purpose === 'listen')).toMatchObject({ count: 2 })
    expect(max_connections).toBeGreaterThan(2)
  })

  test('200: each process writes again that it runs, and when its tasks ran', async () => {
    const first = (await read()).processes
    const isWritten = async () =>
      (await read()).processes.every(
        ({ process_id, seen_at, housekept_at }) =>
          housekept_at !== null && seen_at > first.find((one) => one.process_id === process_id)!.seen_at,
      )
    // Every 10 seconds.
    await expect.poll(isWritten).toBe(true)
  })

  test('200: a process that crashed is shown as gone, one that stopped is not', async () => {
    await other.end('SIGKILL')
    await expect.poll(async () => (await read()).processes.length).toBe(2)
    // The service would wait half a minute.
    await sql`
      update process set seen_at = seen_at - interval '31 seconds'
       where keys::text like ${`%${newKey.kid}%`}`.execute(service.db)
    expect((await read()).processes.filter(({ is_running }) => is_running)).toHaveLength(1)
    // One that crashed yesterday is not shown, and the next process that starts forgets it.
    await sql`
      insert into process select 'yesterday', version, contract, schema, node, started_at, seen_at - interval '1 day',
                                 housekept_at, housekeeping_failed_at, keys
        from process limit 1`.execute(service.db)
    expect((await read()).processes).toHaveLength(2)
    const third = await startReadyProcess(settings)
    await expect.poll(async () => (await read()).processes.length).toBe(3)
    expect(await service.countRows('process')).toEqual([3])
    await third.end('SIGTERM')
    await expect.poll(async () => (await read()).processes.length).toBe(2)
  })
})

describe('listOperators', () => {
  test('200: pages, without a gap and without one twice', async () => {
    const list = async (query: { limit: number; cursor?: string }) =>
      (await service.operator('listOperators', { query })).body
    for (const subject of ['one', 'two', 'three', 'four'])
      await operatorApi(
        service.url + basePathOf('operator'),
        await service.tokens.operator('keys:read', undefined, subject),
      )('readOwnSession', {})
    await expect.poll(async () => (await list({ limit: 100 })).operators.length).toBeGreaterThan(4)
    const found: string[] = []
    for await (const { operators } of readPages((cursor) => list({ limit: 2, ...cursor })))
      found.push(...operators.map(({ subject }) => subject))
    expect(found).toEqual((await list({ limit: 100 })).operators.map(({ subject }) => subject))
  })

  test('it takes no connection of those that serve requests', async () => {
    const subject = 'who waits'
    const call = async () =>
      operatorApi(
        service.url + basePathOf('operator'),
        await service.tokens.operator('keys:read', undefined, subject),
      )('readOwnSession', {})
    const writers = async () => {
      await call()
      const { rows } = await sql<{ application_name: string }>`
        select application_name from pg_stat_activity
         where wait_event_type = 'Lock' and query like '%operator_seen%' and datname = current_database()`.execute(
        service.db,
      )
      return rows[0]?.application_name
    }
    await service.db.transaction().execute(async (tx) => {
      await sql`insert into operator_seen (subject, scopes) values (${subject}, '')`.execute(tx)
      const readWriters = async () => {
        // Otherwise PostgreSQL ends the idle transaction after some seconds.
        await sql`select`.execute(tx)
        return writers()
      }
      await expect.poll(readWriters, { interval: 20 }).toBe('tiwala-background')
    })
  })

  test('200: an administrator with the scopes of the newest token or session', async () => {
    const list = async (subject: string) =>
      (await service.operator('listOperators', {})).body.operators.find((found) => found.subject === subject)
    const base = service.url + basePathOf('operator')
    const call = async (scopes: string) =>
      operatorApi(base, await service.tokens.operator(scopes, undefined, 'ana'))('readOwnSession', {})
    await call('partners:read keys:read')
    await expect.poll(() => list('ana')).toMatchObject({ name: null, scopes: ['keys:read', 'partners:read'] })
    await call('audit:read')
    await expect.poll(() => list('ana')).toMatchObject({ scopes: ['audit:read'] })
    const headers = await service.signInOperator(['keys:read'], 'ben')
    await fetch(base + routes.operator.readOwnSession.path, { headers })
    await expect.poll(() => list('ben')).toMatchObject({ scopes: ['keys:read'] })
    expect(await list('someone else')).toBeUndefined()
    // A token has no name, and leaves that of the session.
    await sql`
      update operator_session set name = 'Ben', scopes = 'partners:read' where subject = 'ben'`.execute(
      service.db,
    )
    await fetch(base + routes.operator.readOwnSession.path, { headers })
    await expect.poll(() => list('ben')).toMatchObject({ name: 'Ben', scopes: ['partners:read'] })
    await operatorApi(base, await service.tokens.operator('audit:read', undefined, 'ben'))(
      'readOwnSession',
      {},
    )
    await expect.poll(() => list('ben')).toMatchObject({ name: 'Ben', scopes: ['audit:read'] })
  })
})
