// Functions that read and change the database of a test.
import { sql } from 'kysely'
import pg from 'pg'
import { SEALING_LOCK_KEY } from '../audit/sealing/sealing.sql.ts'
import type { Database } from '../database/connect.ts'

/** `from` may include a condition: `citizen where frozen`. */
export async function countRows(db: Database, from: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.raw(from)}`.execute(db)
  return rows[0]!.count
}

/** Moves the clock of the database, so that no test waits for a lifetime to end. */
export async function advanceClock(db: Database, seconds: number): Promise<void> {
  await sql`update clock set advance = advance + make_interval(secs => ${seconds})`.execute(db)
}

/** Without partitions: their rows are those of their table. */
async function listTables(db: Database): Promise<string[]> {
  const { rows } = await sql<{ tablename: string }>`
    select relname as tablename from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`.execute(db)
  return rows.map(({ tablename }) => tablename)
}

/** Every row of every table, as text. */
export async function dumpDatabase(db: Database): Promise<string> {
  const texts = await Promise.all(
    (await listTables(db)).map((table) =>
      sql<{ text: string }>`select t::text as text from ${sql.table(table)} t`.execute(db),
    ),
  )
  return texts.flatMap(({ rows }) => rows.map(({ text }) => text)).join('\n')
}

const INSERT_ONLY = ['audit_event', 'audit_checkpoint', 'audit_leaf', 'audit_archive']

/**
 * Copies every table. The returned function brings the rows back while the service runs, as a restored backup
 * would.
 */
export async function backUpTables(db: Database): Promise<() => Promise<void>> {
  const tables = await listTables(db)
  const copyOf = (table: string) => sql.table(`tiwala_backup.${table}`)
  await sql`drop schema if exists tiwala_backup cascade`.execute(db)
  await sql`create schema tiwala_backup`.execute(db)
  await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      for (const table of tables)
        await sql`create table ${copyOf(table)} as table ${sql.table(table)}`.execute(tx)
    })
  return () =>
    db.transaction().execute(async (tx) => {
      // Otherwise events that are deleted here could be sealed.
      await sql`select pg_advisory_xact_lock(${sql.lit(SEALING_LOCK_KEY)})`.execute(tx)
      for (const table of INSERT_ONLY)
        await sql`alter table ${sql.table(table)} disable trigger insert_only`.execute(tx)
      // The rows come back in any order, so no foreign key is checked meanwhile.
      await sql`set local session_replication_role = replica`.execute(tx)
      for (const table of tables) {
        await sql`delete from ${sql.table(table)}`.execute(tx)
        await sql`insert into ${sql.table(table)} overriding system value table ${copyOf(table)}`.execute(tx)
      }
      for (const table of INSERT_ONLY)
        await sql`alter table ${sql.table(table)} enable always trigger insert_only`.execute(tx)
    })
}

/** Renames tables, so that statements fail as with an error in the service. */
export async function breakSchema(db: Database): Promise<void> {
  for (const table of [
    'partner',
    'citizen',
    'citizen_key_count',
    'audit_checkpoint',
    'installation',
    'operator_session',
    'operator_seen',
  ])
    await sql`alter table ${sql.table(table)} rename to ${sql.id(`${table}_gone`)}`.execute(db)
}

/** Runs `act` with a connection of its own, for example one of an administrator, who may create databases. */
export async function onServer<Result>(
  url: string,
  act: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await act(client)
  } finally {
    await client.end()
  }
}

/** Copies a database file by file, which takes a fifth of the processor time of the default strategy. */
export const copyDatabase = (admin: pg.Client, template: string, name: string): Promise<unknown> =>
  admin.query(`create database ${name} template ${template} strategy file_copy`)

/** The URL of another database on the same server. */
export function databaseUrl(url: string, database: string): string {
  const address = new URL(url)
  address.pathname = `/${database}`
  return address.href
}
