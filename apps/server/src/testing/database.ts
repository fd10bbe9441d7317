// Functions that read and change the database of a test.
import { sql } from 'kysely'
import pg from 'pg'
import type { Database } from '../database/connect.ts'

/** `from` may include a condition: `citizen where frozen`. */
export async function countRows(db: Database, from: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.raw(from)}`.execute(db)
  return rows[0]!.count
}

/** Every row of every table, as text. */
export async function dumpDatabase(db: Database): Promise<string> {
  const { rows: tables } = await sql<{
    tablename: string
  }>`select tablename from pg_tables where schemaname = 'public'`.execute(db)
  const texts = await Promise.all(
    tables.map(({ tablename }) =>
      sql<{ text: string }>`select t::text as text from ${sql.table(tablename)} t`.execute(db),
    ),
  )
  return texts.flatMap(({ rows }) => rows.map(({ text }) => text)).join('\n')
}

/** Renames tables, so that statements fail as with an error in the service. */
export async function breakSchema(db: Database): Promise<void> {
  for (const table of ['partner', 'citizen', 'audit_checkpoint', 'installation'])
    await sql`alter table ${sql.table(table)} rename to ${sql.id(`${table}_gone`)}`.execute(db)
}

/** Runs `act` with an administrator connection, which may create databases. */
export async function onServer(url: string, act: (admin: pg.Client) => Promise<unknown>): Promise<void> {
  const admin = new pg.Client(url)
  await admin.connect()
  try {
    await act(admin)
  } finally {
    await admin.end()
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
