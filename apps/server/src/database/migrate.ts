import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Database } from './connect.ts'
import { QUEUE_SCHEMA } from './queue.ts'
import { withStartupLock } from './startup-lock.ts'

const FOLDER = new URL('../../migrations/', import.meta.url)

/**
 * Brings the schema up to date: numbered, forward only, plain SQL. Safe when several processes start at once. All of it is applied and what
 * else is required holds, or nothing is changed.
 */
export async function migrate(db: Database, alsoRequired: (tx: Database) => Promise<void> = async () => {}): Promise<void> {
  await withStartupLock(db, async (tx) => {
    const known = await readNames()
    const applied = await readApplied(tx)
    const newer = applied?.filter((name) => !known.includes(name)) ?? []
    if (newer.length)
      throw new Error(
        `The database's schema is newer than this program (${newer.join()}); nothing was changed. Run the version that made it.`,
      )
    await requireQueuePermission(tx)
    if (!applied) await sql`create table kysely_migration (name text primary key, timestamp text not null)`.execute(tx)
    for (const name of known.filter((each) => !applied?.includes(each))) await apply(tx, name)
    await alsoRequired(tx)
  }).catch((error: Error & { code?: string }) => {
    // What is ours to say is said; PostgreSQL's own errors have a SQLSTATE.
    throw error.code ? new Error(`${REASONS[error.code] ?? BROKEN}; nothing was changed.`, { cause: error }) : error
  })
}

const BROKEN = 'The database schema could not be brought up to date'
const HALF =
  'The database holds a part of the schema, without the table that tells which: restore it from a backup, or give Tiwala an empty one'
const REASONS: Record<string, string> = {
  '42501': 'The role in DATABASE_URL lacks a permission that the start needs',
  '42P07': HALF,
  '42723': HALF,
  '42710': HALF,
  '55P03': 'Another process holds what the start needs',
}

async function readNames(): Promise<string[]> {
  const files = await readdir(FOLDER)
  return files
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.replace('.sql', ''))
    .toSorted()
}

/** `undefined`: the database is new to us. */
async function readApplied(tx: Database): Promise<string[] | undefined> {
  const { rows: tables } = await sql<{ is_there: boolean }>`select to_regclass('kysely_migration') is not null as is_there`.execute(tx)
  if (!tables[0]!.is_there) return undefined
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(tx)
  return rows.map(({ name }) => name)
}

/** One `do` block a file: both drivers take one statement at a time. */
async function apply(tx: Database, name: string): Promise<void> {
  const text = await readFile(new URL(`${name}.sql`, FOLDER), 'utf8')
  await sql.raw(`do $migration$ begin\n${text}\nend $migration$`).execute(tx)
  await sql`insert into kysely_migration (name, timestamp) values (${name}, ${new Date().toISOString()})`.execute(tx)
}

/** The job queue makes a schema of its own after ours, which must not remain without it. */
async function requireQueuePermission(tx: Database): Promise<void> {
  const { rows } = await sql<{ may: boolean }>`
    select to_regclass(${`${QUEUE_SCHEMA}.version`}) is not null or has_database_privilege(current_database(), 'create') as may`.execute(tx)
  if (!rows[0]!.may)
    throw new Error(`The role in DATABASE_URL may not create the schema ${QUEUE_SCHEMA} in the database; nothing was changed.`)
}
