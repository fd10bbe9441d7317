import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bench } from './bench.ts'
import { stopContenders } from './contenders/contender.ts'
import { startIdentityProvider } from './contenders/identity-provider.ts'
import { createTiwalaStarter } from './contenders/tiwala.ts'
import { fillPeerTables } from './fixtures/fill-peer-tables.ts'
import { openFixtureDatabases } from './fixtures/open-fixture-databases.ts'
import { log } from './log.ts'
import type { Plan } from './plan.ts'
import { createDatabase, vacuumAndCheckpoint } from './postgres/databases.ts'
import { startPostgres } from './postgres/start-postgres.ts'

type OpenBench = Bench & { close(): Promise<void> }

/** Starts the servers and creates the fixtures that all benchmarks share. `close` removes all of them. */
export async function openBench(plan: Plan, stockUrl: string | undefined): Promise<OpenBench> {
  const folder = await mkdtemp(join(tmpdir(), 'tiwala-bench-'))
  // PostgreSQL may run as another user, which must be able to traverse this folder.
  await chmod(folder, 0o711)
  log('Starting PostgreSQL')
  const postgres = await startPostgres(join(folder, 'postgres'))
  const identityProvider = await startIdentityProvider()
  const close = async () => {
    await stopContenders()
    identityProvider.stop()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const startTiwala = createTiwalaStarter(folder, identityProvider)
    const { fixtures, openDatabase, databaseUrlOf } = await openFixtureDatabases({
      url: postgres.url,
      plan,
      identityProvider,
      startTiwala,
    })
    const openPeerDatabase = async (name: string, records: number) => {
      const url = await createDatabase(postgres.url, name)
      await fillPeerTables(url, fixtures, records - plan.acceptedRecords)
      await vacuumAndCheckpoint(url)
      return url
    }
    return {
      plan,
      folder,
      postgres,
      stockUrl,
      identityProvider,
      startTiwala,
      fixtures,
      openDatabase,
      databaseUrlOf,
      openPeerDatabase,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
