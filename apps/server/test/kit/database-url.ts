import { sql } from 'kysely'
import { inject } from 'vitest'
import type { TestService } from '../../src/testing/start-service.ts'

/** The URL of a service's PostgreSQL database, for another process or for direct access by the test. */
export async function databaseUrlOf({ db }: Pick<TestService, 'db'>): Promise<string> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
  const address = new URL(inject('postgres').url)
  address.pathname = `/${rows[0]!.name}`
  return address.href
}

/** The settings of another process over the database and the keys of a service. */
export const settingsOf = async ({ db, config }: Pick<TestService, 'db' | 'config'>) => ({
  DATABASE_URL: await databaseUrlOf({ db }),
  TIWALA_DATA_DIR: config.dataDir,
})
