// What `tiwala version` shows.
import { documents } from './contract/documents.ts'
import { connectPostgres } from './database/connect.ts'
import { readNames, readSchemaVersion } from './database/migrate.ts'
import { VERSION } from './program.ts'

/** `schema`: the newest migration. */
export type Versions = { service: string; contract: string; schema: string }

/** The versions of this program. */
export const readVersions = async (): Promise<Versions> => ({
  service: VERSION,
  contract: documents.operator.info.version,
  schema: (await readNames()).at(-1)!,
})

/** The newest migration of a database, which another version of the program may have applied. */
export async function readDatabaseSchema(databaseUrl: string): Promise<string | undefined> {
  const database = connectPostgres(databaseUrl, () => {})
  try {
    return await readSchemaVersion(database.unbounded)
  } finally {
    await database.close()
  }
}
