// The server records the reason of a refusal after the response. The response never waits for that write.
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { startService } from '../../src/testing/start-service.ts'
import { createApiClient } from '../kit/api-client.ts'

/** A response that waited for the table would take as long as a statement may wait for a lock. */
const LOCK_TIMEOUT_MS = 250

test('404: refusals are fast while the diagnosis table is locked or missing', async () => {
  const { url, db, close } = await startService(inject('postgres'))
  const api = await createApiClient(url)
  /** The time of the 11th fastest of 30 refusals: on a busy machine, some take long. */
  const usualMs = async () => {
    const timesMs: number[] = []
    for (let count = 0; count < 30; count++) {
      const startedMs = performance.now()
      expect((await api.inquire('unknown')).status).toBe(404)
      timesMs.push(performance.now() - startedMs)
    }
    return timesMs.toSorted((a, b) => a - b)[10]
  }
  await usualMs()
  await db.transaction().execute(async (tx) => {
    await sql`lock table diagnosis in access exclusive mode`.execute(tx)
    expect(await usualMs()).toBeLessThan(LOCK_TIMEOUT_MS)
  })
  await sql`drop table diagnosis`.execute(db)
  expect(await usualMs()).toBeLessThan(LOCK_TIMEOUT_MS)
  await close()
})
