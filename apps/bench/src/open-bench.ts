import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bench } from './bench.ts'
import { stopContenders } from './contenders/contender.ts'
import { startIdentityProvider } from './contenders/identity-provider.ts'
import { tiwalaStarter } from './contenders/tiwala.ts'
import type { Plan } from './plan.ts'
import { createDatabase, settle } from './postgres/databases.ts'
import { startPostgres } from './postgres/start-postgres.ts'
import { log } from './log.ts'
import { openSite } from './fixtures/open-fixture-databases.ts'
import { fillPeerTables } from './fixtures/fill-peer-tables.ts'

/** Starts what all parts share; `close` leaves nothing behind. `stockUrl`: a PostgreSQL server with its default configuration. */
export async function openBench(plan: Plan, stockUrl: string | undefined): Promise<Bench & { close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'tiwala-bench-'))
  // PostgreSQL may run as another user, who passes through here.
  await chmod(folder, 0o711)
  log('Starting PostgreSQL')
  const postgres = await startPostgres(join(folder, 'postgres'))
  const identity = await startIdentityProvider()
  const close = async () => {
    await stopContenders()
    identity.stop()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const startTiwala = tiwalaStarter(folder, identity)
    const { fixtures, openDatabase, databaseOf } = await openSite({ url: postgres.url, plan, identity, startTiwala })
    const openPeerDatabase = async (name: string, records: number) => {
      const url = await createDatabase(postgres.url, name)
      await fillPeerTables(url, fixtures, records - plan.accepted)
      await settle(url)
      return url
    }
    return { plan, folder, postgres, stockUrl, identity, startTiwala, fixtures, openDatabase, databaseOf, openPeerDatabase, close }
  } catch (error) {
    await close()
    throw error
  }
}
