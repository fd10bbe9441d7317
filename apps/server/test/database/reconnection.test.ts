import { sql } from 'kysely'
// PostgreSQL goes away and comes back: the process survives, and waiting requests receive notifications
// again.
import { expect, inject, test } from 'vitest'
import { startService } from '../../src/testing/start-service.ts'
import { createApiClient } from '../kit/api-client.ts'

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

async function listeners(db: Awaited<ReturnType<typeof startService>>['db']): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_stat_activity
     where datname = current_database() and application_name = 'tiwala-listen'`.execute(db)
  return rows[0]!.count
}
