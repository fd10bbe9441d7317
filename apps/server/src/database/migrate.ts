import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { pathOf } from '../program.ts'
import type { Database } from './connect.ts'
import { withStartupLock } from './startup-lock.ts'

const FOLDER = pathOf('migrations')

/**
 * The earlier version serves requests meanwhile. While a migration waits for the lock of a table, every later
 * request waits behind it, so it waits for less time than a request does, gives up, and tries again.
 */
const LOCK_MS = '100'
const LOCK_NOT_AVAILABLE = '55P03'
const PAUSE_MS = 500
const TRY_FOR_MS = 60_000

/** `from`: null if the database was new. */
export type Migration = { from: string | null; to: string; ms: number }

/**
 * Applies the migrations that the database lacks: numbered files of plain SQL, forward only. Several
 * processes may start at once, beside processes of the earlier version (`UPGRADING.md`). Either all
 * migrations are applied and `alsoRequired` succeeds, or nothing is changed.
 */
export async function migrate(
  db: Database,
  alsoRequired: (tx: Database) => Promise<void> = async () => {},
  onMigrated: (migration: Migration) => void = () => {},
): Promise<void> {
  const startedAtMs = performance.now()
  for (const endsAtMs = performance.now() + TRY_FOR_MS; ; await sleep(PAUSE_MS)) {
    try {
      const applied = await withStartupLock(db, (tx) => applyMissing(tx, alsoRequired))
      if (applied) onMigrated({ ...applied, ms: Math.round(performance.now() - startedAtMs) })
      return
    } catch (error) {
      const { code } = error as { code?: string }
      if (code === LOCK_NOT_AVAILABLE && performance.now() < endsAtMs) continue
      // Errors of PostgreSQL have a SQLSTATE and get an explanation. The errors thrown below explain
      // themselves.
      throw code ? new Error(`${REASONS[code] ?? FAILED}; nothing was changed.`, { cause: error }) : error
    }
  }
}

async function applyMissing(
  tx: Database,
  alsoRequired: (tx: Database) => Promise<void>,
): Promise<Pick<Migration, 'from' | 'to'> | undefined> {
  const names = await readNames()
  const applied = await readApplied(tx)
  await requireUsable(tx, names, applied)
  await sql`select set_config('lock_timeout', ${LOCK_MS}, true)`.execute(tx)
  if (!applied)
    await sql`create table kysely_migration (name text primary key, timestamp text not null)`.execute(tx)
  const missing = findMissing(names, applied)
  // Databases of early versions lack the column.
  if (missing.length) await sql`alter table kysely_migration add column if not exists needs text`.execute(tx)
  for (const name of missing) await apply(tx, name)
  await alsoRequired(tx)
  const to = missing.at(-1)
  return to === undefined ? undefined : { from: applied?.toSorted().at(-1) ?? null, to }
}

const FAILED = 'The database schema could not be brought up to date'
const INCOMPLETE =
  'The database holds a part of the schema, but not the list of applied migrations: ' +
  'restore it from a backup, or use an empty database'
const REASONS: Record<string, string> = {
  '42501': 'The role in DATABASE_URL lacks a permission that the start needs',
  '42P07': INCOMPLETE,
  '42723': INCOMPLETE,
  '42710': INCOMPLETE,
  [LOCK_NOT_AVAILABLE]: 'Another process holds a lock that the start needs',
}

/** The migrations of this program, the newest last. */
export async function readNames(): Promise<string[]> {
  const files = await readdir(FOLDER)
  return files
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.replace('.sql', ''))
    .toSorted()
}

/** Returns `undefined` if the database is new. */
async function readApplied(tx: Database): Promise<string[] | undefined> {
  const { rows: tables } = await sql<{
    exists: boolean
  }>`select to_regclass('kysely_migration') is not null as exists`.execute(tx)
  if (!tables[0]!.exists) return undefined
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(tx)
  return rows.map(({ name }) => name)
}

const findMissing = (names: string[], applied: string[] = []) =>
  names.filter((name) => !applied.includes(name))

/**
 * Throws if a newer version has changed the schema so that this program cannot run on it. Each migration says
 * in the comment `-- needs <migration>` which programs can: those that have this earlier migration. So the
 * version before a release can start again.
 */
async function requireUsable(db: Database, names: string[], applied: string[] = []): Promise<void> {
  const unknown = applied.filter((name) => !names.includes(name))
  if (!unknown.length) return
  const { rows } = await sql<{ name: string; needs: string | null }>`
    select name, to_jsonb(m) ->> 'needs' as needs from kysely_migration m
     where name = any(${unknown}) order by name`.execute(db)
  const newer = rows.filter(({ needs }) => needs === null || !names.includes(needs))
  if (newer.length)
    throw new Error(
      `The database's schema is newer than this program (${newer.map(({ name }) => name).join()}); ` +
        'nothing was changed. Run the version that made it.',
    )
}

/** The newest migration of this program, and how many the database lacks. Throws as `migrate` would. */
export async function readSchemaState(db: Database): Promise<{ newest: string; missing: number }> {
  const [names, applied] = [await readNames(), await readApplied(db)]
  await requireUsable(db, names, applied)
  return { newest: names.at(-1)!, missing: findMissing(names, applied).length }
}

/** The newest migration that was applied, perhaps by another version of the program. */
export const readSchemaVersion = async (db: Database): Promise<string | undefined> =>
  (await readApplied(db))?.toSorted().at(-1)

/** Each file becomes one `do` block, since both drivers accept one statement at a time. */
async function apply(tx: Database, name: string): Promise<void> {
  const text = await readFile(join(FOLDER, `${name}.sql`), 'utf8')
  await sql.raw(`do $migration$ begin\n${text}\nend $migration$`).execute(tx)
  const [, needs] = /^-- needs (\w+)$/m.exec(text) ?? []
  await sql`
    insert into kysely_migration (name, timestamp, needs)
    values (${name}, ${new Date().toISOString()}, ${needs ?? null})`.execute(tx)
}
