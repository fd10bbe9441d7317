// Why a request was refused is written down after the answer: whatever becomes of that, the answer does not wait for it.
import pg from 'pg'
import { expect, test } from 'vitest'
import { meet } from './harness.ts'
import { startReadyProcess } from './server-process.ts'
import { temporaryDatabase } from './temporary.ts'

test('while the table cannot be written, or is gone, refusals are answered as ever', { timeout: 60_000 }, async () => {
  await using database = await temporaryDatabase()
  await using server = await startReadyProcess({ DATABASE_URL: database.url, TIWALA_DATA_DIR: database.folder })
  const people = await meet(server.url)
  const inside = new pg.Client(database.url)
  await inside.connect()
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
  await inside.query('begin; lock table diagnosis in access exclusive mode')
  expect(await slowest()).toBeLessThan(500)
  await inside.query('commit; drop table diagnosis')
  expect(await slowest()).toBeLessThan(500)
  await inside.end()
  expect(await server.end('SIGTERM')).toBe(0)
})
