import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bench } from './bench.ts'
import { stopContenders } from './contenders/contender.ts'
import { startIdentityProvider } from './contenders/identity-provider.ts'
import { tiwalaStarter } from './contenders/tiwala.ts'
import type { Plan } from './plan.ts'
import { createDatabase, databaseUrl, settle } from './postgres/databases.ts'
import { startPostgres } from './postgres/start-postgres.ts'
import { tell } from './tell.ts'
import { insertEnded } from './world/ended-records.ts'
import { fillPeerTables } from './world/peer-tables.ts'
import { populate } from './world/populate.ts'

const BASE = 'base'

/** Starts what all parts share; `close` leaves nothing behind. */
export async function openBench(plan: Plan): Promise<Bench & { close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'tiwala-bench-'))
  // PostgreSQL may run as another user, who passes through here.
  await chmod(folder, 0o711)
  tell('Starting PostgreSQL')
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
    const server = await startTiwala(await createDatabase(postgres.url, BASE))
    const world = await populate(server.origin, identity, plan.accepted).finally(server.stop)
    const openDatabase = async (name: string, records: number) => {
      const url = await createDatabase(postgres.url, name, BASE)
      await insertEnded(url, records - plan.accepted)
      await settle(url)
      return url
    }
    const databaseOf = (name: string) => databaseUrl(postgres.url, name)
    const openPeerDatabase = async (name: string, records: number) => {
      const url = await createDatabase(postgres.url, name)
      await fillPeerTables(url, world, records - plan.accepted)
      await settle(url)
      return url
    }
    return { plan, folder, postgres, identity, startTiwala, world, openDatabase, databaseOf, openPeerDatabase, close }
  } catch (error) {
    await close()
    throw error
  }
}
