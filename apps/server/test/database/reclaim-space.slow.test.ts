// The embedded database has no autovacuum. Without `reclaimSpace`, a sandbox that was made and deleted took 27 KiB of
// the disk for ever.
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { openEmbedded } from '../../src/database/embedded.ts'
import { createReclaimSpace } from '../../src/database/reclaim-space.sql.ts'
import { startHousekeeping } from '../../src/housekeeping/housekeeping.ts'
import type { Service } from '../../src/operation.ts'
import { withClock } from '../kit/fake-database.ts'

const ROWS_BYTES = 2_000 * 1_000

test('the space of deleted rows is used again, after enough was written', async () => {
  const { db, close } = openEmbedded()
  onTestFinished(close)
  await sql`create table filled (text text)`.execute(db)
  await sql`alter table filled alter text set storage plain`.execute(db)
  const fillAndDelete = async () => {
    await sql`insert into filled select repeat('x', 1000) from generate_series(1, 2000)`.execute(db)
    await sql`delete from filled`.execute(db)
  }
  const sizeBytes = async () => {
    const { rows } = await sql<{ size: number }>`select pg_total_relation_size('filled') as size`.execute(db)
    return rows[0]!.size
  }
  const [reclaim, rarely] = [createReclaimSpace(db, ROWS_BYTES), createReclaimSpace(db, 2 ** 40)]
  await Promise.all([reclaim(), rarely()])
  for (let round = 0; round < 3; round++) {
    await fillAndDelete()
    await rarely()
    expect(await sizeBytes()).toBeGreaterThan(ROWS_BYTES)
    await reclaim()
    expect(await sizeBytes()).toBeLessThan(ROWS_BYTES / 10)
  }
})

test.each([
  ['of the embedded database', undefined, 1],
  ['of no PostgreSQL server, which does it itself', 'postgresql://localhost/tiwala', 0],
])('housekeeping reclaims the space %s', async (_which, databaseUrl, times) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  let written = 0
  const statements: string[] = []
  const db = withClock(async ({ sql: text }) => {
    statements.push(text)
    return text.includes('wal') ? [{ written: written++ }] : []
  })
  const config = { ...readConfig({}), databaseUrl }
  const notifications = { onGap: () => () => {} }
  const { stop } = startHousekeeping({ db, config, notifications } as unknown as Service)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(statements).not.toContain('vacuum')
  await vi.advanceTimersByTimeAsync(30_000)
  await stop()
  expect(statements.filter((text) => text === 'vacuum')).toHaveLength(times)
})
