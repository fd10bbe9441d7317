import type { IdentityProvider } from '../contenders/identity-provider.ts'
import type { StartTiwala } from '../contenders/tiwala.ts'
import type { Plan } from '../plan.ts'
import { createDatabase, databaseUrl, dropDatabase, settle } from '../postgres/databases.ts'
import { insertEnded } from './ended-records.ts'
import { populate, type World } from './populate.ts'

/** A PostgreSQL server that holds our databases. */
export type Site = {
  world: World
  /** A database of its own for a part: the accepted records and the given number of ended ones. */
  openDatabase(name: string, records: number): Promise<string>
  /** Where a database that was opened is. */
  databaseOf(name: string): string
  /** Drops every database of the bench. */
  drop(): Promise<void>
}

type Opening = { url: string; prefix?: string; plan: Plan; identity: IdentityProvider; startTiwala: StartTiwala }

/** Makes the citizens and their records once, in the database that all others are copies of. Databases of an earlier run are replaced. */
export async function openSite({ url, prefix = '', plan, identity, startTiwala }: Opening): Promise<Site> {
  const made = new Set<string>()
  const create = async (name: string, template?: string) => {
    await dropDatabase(url, prefix + name)
    made.add(prefix + name)
    return createDatabase(url, prefix + name, template && prefix + template)
  }
  const drop = async () => {
    for (const name of made) await dropDatabase(url, name)
  }
  try {
    const server = await startTiwala(await create('base'))
    const world = await populate(server.origin, identity, plan.accepted).finally(server.stop)
    const openDatabase = async (name: string, records: number) => {
      const database = await create(name, 'base')
      await insertEnded(database, records - plan.accepted)
      await settle(database)
      return database
    }
    return { world, openDatabase, databaseOf: (name) => databaseUrl(url, prefix + name), drop }
  } catch (error) {
    await drop()
    throw error
  }
}
