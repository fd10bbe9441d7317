// Why a request was refused is written down after the answer: whatever becomes of that, the answer does not wait for it.
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { startService } from '../../src/testing/start-service.ts'
import { createApiClient } from '../kit/api-client.ts'

/** A refusal that waited for the table would take as long as the database lets a statement wait for a lock. */
const LOCK_TIMEOUT_MS = 250

test('while the table cannot be written, or is gone, refusals are answered as ever', async () => {
  const { url, db, close } = await startService(inject('postgres'))
  const api = await createApiClient(url)
  /** Of most refusals: on a busy machine, some take long. */
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
