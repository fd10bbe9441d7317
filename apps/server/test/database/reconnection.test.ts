// PostgreSQL goes away and comes back: the process survives, and waiting requests receive notifications
// again.
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { describeError } from '../../src/describe-error.ts'
import { startService } from '../../src/testing/start-service.ts'
import { createApiClient } from '../kit/api-client.ts'
import { connectPatiently } from '../kit/connect.ts'
import { temporaryDatabase } from '../kit/temporary-resources.ts'

test('200: the server is ready and receives notifications again after it lost all connections', async () => {
  const service = await startService(inject('postgres'))
  const api = await createApiClient(service.url)
  for (let round = 0; round < 3; round++) {
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`.execute(service.db)
    await expect
      .poll(async () => (await fetch(`${service.url}/readyz`)).status, { timeout: 60_000 })
      .toBe(200)
  }
  await expect.poll(() => listeners(service.db), { timeout: 60_000 }).toBe(1)
  const trackingNo = await api.createPendingRecord()
  const waiting = api.inquire(trackingNo, { Prefer: 'wait=25' })
  await expect.poll(() => service.waiting()).toBe(1)
  const startedAtMs = performance.now()
  await api.accept(trackingNo)
  expect((await waiting).headers.get('x-authorization-state')).toBe('ACCEPTED')
  // Below the 25 s after which a wait ends without a change.
  expect(performance.now() - startedAtMs).toBeLessThan(20_000)
  await service.close()
})

test('each failed attempt to receive notifications again is reported with its cause', async () => {
  const failures: unknown[] = []
  await using database = await temporaryDatabase()
  const opened = connectPatiently(database.url)
  const listening = await opened.listen(
    'any',
    () => {},
    () => {},
    (error) => failures.push(error),
  )
  // A database that refuses connections and ends those that exist.
  await using other = await temporaryDatabase()
  const elsewhere = connectPatiently(other.url)
  const name = new URL(database.url).pathname.slice(1)
  await sql`alter database ${sql.id(name)} allow_connections false`.execute(elsewhere.unbounded)
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`.execute(
    elsewhere.unbounded,
  )
  await expect.poll(() => failures.length).toBeGreaterThan(1)
  expect(describeError(failures[0])).toEqual({ name: 'error', code: '55000' })
  await listening.close()
  await Promise.all([opened.close(), elsewhere.close()])
})

async function listeners(db: Awaited<ReturnType<typeof startService>>['db']): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_stat_activity
     where datname = current_database() and application_name = 'tiwala-listen'`.execute(db)
  return rows[0]!.count
}
