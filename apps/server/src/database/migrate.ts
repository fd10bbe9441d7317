import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import type { Database } from './connect.ts'

const FOLDER = new URL('../../migrations/', import.meta.url)

/** Brings the schema up to date: numbered, forward only, plain SQL. Safe when several processes start at once. */
export async function migrate(db: Database): Promise<void> {
  const { error } = await db.connection().execute(async (connection) => {
    // What bounds a request must not bound a migration, nor the wait for another process that migrates.
    await sql`select set_config('statement_timeout', '0', false), set_config('lock_timeout', '0', false)`.execute(connection)
    const outcome = await new Migrator({ db: connection, provider: { getMigrations: readMigrations } }).migrateToLatest()
    await sql`reset statement_timeout`.execute(connection)
    await sql`reset lock_timeout`.execute(connection)
    return outcome
  })
  if (error) throw new Error('The database schema could not be brought up to date; nothing was changed.', { cause: error })
}

async function readMigrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.sql')).toSorted()
  return Object.fromEntries(await Promise.all(files.map(async (file) => [file.replace('.sql', ''), await readMigration(file)] as const)))
}

/** One `do` block a file: both drivers take one statement at a time, and it is applied whole or not at all. */
async function readMigration(file: string): Promise<Migration> {
  const text = await readFile(new URL(file, FOLDER), 'utf8')
  return { up: async (db) => void (await sql.raw(`do $migration$ begin\n${text}\nend $migration$`).execute(db)) }
}
