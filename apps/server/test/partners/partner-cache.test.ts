// What another process changes is not heard of: it holds here once the partner is no longer remembered.
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { startService } from '../../src/testing/start-service.ts'
import { createApiClient } from '../kit/api-client.ts'

/** DESIGN section 8. */
const MOST_MS = 1_000

test.each([
  { change: sql`update credential set revoked_at = clock_now()`, status: 401, what: 'a revoked secret' },
  { change: sql`update partner set status = 'SUSPENDED'`, status: 403, what: 'a suspended partner' },
])('$status: $what, within a second, of a partner that calls all the time', async ({ change, status }) => {
  const { url, db, close } = await startService(inject('postgres'))
  const { inquire } = await createApiClient(url)
  const call = async () => (await inquire('unknown')).status
  while ((await sql`select from credential where last_used_on is not null`.execute(db)).rows.length === 0) expect(await call()).toBe(404)
  for (const before of [await call(), await call()]) expect(before).toBe(404)
  await change.execute(db)
  const changedAtMs = performance.now()
  while (performance.now() - changedAtMs < MOST_MS) expect([404, status]).toContain(await call())
  // Every request that is sent later than that is refused.
  expect(await call()).toBe(status)
  await close()
})
