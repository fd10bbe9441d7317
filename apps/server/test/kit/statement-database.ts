// A database for tests of single statements. No service uses it, so no task in the background changes its
// rows.
import { sql } from 'kysely'
import { afterAll } from 'vitest'
import type { Database } from '../../src/database/connect.ts'
import { connectPatiently } from './connect.ts'
import { temporaryDatabase } from './temporary-resources.ts'

/** For the top level of a test file: the database is removed after the last test of the file. */
export async function openDatabaseForFile(): Promise<Database> {
  const temporary = await temporaryDatabase()
  const opened = connectPatiently(temporary.url)
  afterAll(async () => {
    await opened.close()
    await temporary[Symbol.asyncDispose]()
  })
  // As the first start of a service does.
  await sql`insert into installation (environment) values ('sandbox')`.execute(opened.db)
  return opened.db
}
