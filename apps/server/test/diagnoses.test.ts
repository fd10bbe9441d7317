// Why a request was refused is written down after the answer: whatever becomes of that, the answer does not wait for it.
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { startService } from '../src/testing.ts'
import { meet } from './harness.ts'

test('while the table cannot be written, or is gone, refusals are answered as ever', async () => {
  const { url, db, close } = await startService(inject('postgres'))
  const people = await meet(url)
  const slowest = async () => {
    let slowestMs = 0
    for (let count = 0; count < 30; count++) {
      const startedMs = performance.now()
      expect((await people.inquire('unknown')).status).toBe(404)
      slowestMs = Math.max(slowestMs, performance.now() - startedMs)
    }
    return slowestMs
  }
  await slowest()
  await db.transaction().execute(async (tx) => {
    await sql`lock table diagnosis in access exclusive mode`.execute(tx)
    expect(await slowest()).toBeLessThan(500)
  })
  await sql`drop table diagnosis`.execute(db)
  expect(await slowest()).toBeLessThan(500)
  await close()
})
