import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { connectPatiently } from '../kit/connect.ts'
import { temporaryDatabase } from '../kit/temporary-resources.ts'

test('a long-running statement may take longer than one of the background', async () => {
  await using database = await temporaryDatabase()
  const { background, longRunning, close } = connectPatiently(database.url)
  const sleepIn = (db: typeof background) =>
    db.transaction().execute(async (tx) => {
      await sql`select set_config('statement_timeout', '60000', true)`.execute(tx)
      await sql`select pg_sleep(2.5)`.execute(tx)
    })
  const [inBackground, atLength] = await Promise.allSettled([sleepIn(background), sleepIn(longRunning)])
  await close()
  expect([inBackground.status, atLength.status]).toEqual(['rejected', 'fulfilled'])
})
test('a connection ends after a day, and with it the statements of this day', async () => {
  await using database = await temporaryDatabase()
  const timers = vi.spyOn(globalThis, 'setTimeout')
  onTestFinished(() => timers.mockRestore())
  const { db, close } = connectPatiently(database.url)
  await sql`select 1`.execute(db)
  await close()
  expect(timers.mock.calls.map(([, ms]) => ms)).toContain(86_400_000)
})
