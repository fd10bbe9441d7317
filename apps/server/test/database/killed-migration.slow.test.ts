// The process of a migration is killed while PostgreSQL executes a long statement for it.
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { withStartupLock } from '../../src/database/startup-lock.ts'
import { connectPatiently } from '../kit/connect.ts'
import { openNetworkProxy } from '../kit/network-proxy.ts'
import { temporaryDatabase } from '../kit/temporary-resources.ts'

test('a killed process leaves the locks of its migration within seconds', async () => {
  await using database = await temporaryDatabase()
  // As the kernel does for a killed process, the proxy closes its connections.
  const proxy = await openNetworkProxy(database.url)
  const [killed, other] = [connectPatiently(proxy.url), connectPatiently(database.url)]
  const migration = withStartupLock(killed.unbounded, async (tx) => {
    await sql`lock table clock in access exclusive mode`.execute(tx)
    await sql`select pg_sleep(100)`.execute(tx)
  })
  const isExecuting = async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`.execute(
      other.db,
    )
    return rows.length === 1
  }
  await vi.waitUntil(isExecuting, 60_000)
  await proxy[Symbol.asyncDispose]()
  await expect(migration).rejects.toThrow(/connection/i)

  const isFree = vi.waitFor(() => sql`update clock set advance = advance`.execute(other.db), 60_000)
  await expect(isFree).resolves.toBeDefined()
  await Promise.all([killed, other].map(({ close }) => close()))
})
