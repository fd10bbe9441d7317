// A database for tests of single statements. No service uses it, so no task in the background changes its
// rows.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll } from 'vitest'
import { connectPostgres, type Database } from '../../src/database/connect.ts'
import { STOP_CLOCK } from './stopped-clock.ts'
import { temporaryDatabase } from './temporary-resources.ts'

const MAX_STATEMENT_MS = 10_000

/** For the top level of a test file: the database is removed after the last test of the file. */
export async function openDatabaseForFile(): Promise<Database> {
  const temporary = await temporaryDatabase()
  const opened = connectPostgres(temporary.url, () => {}, MAX_STATEMENT_MS)
  afterAll(async () => {
    await opened.close()
    await temporary[Symbol.asyncDispose]()
  })
  // As the first start of a service does.
  await sql`insert into installation (environment) values ('sandbox')`.execute(opened.db)
  return opened.db
}

/** Runs `act` in a transaction with a stopped clock, and rolls it back. */
export async function rolledBack(db: Database, act: (tx: Database) => Promise<void>): Promise<void> {
  const tx = await db.startTransaction().execute()
  try {
    await sql.raw(STOP_CLOCK).execute(tx)
    await act(tx)
  } finally {
    await tx.rollback().execute()
  }
}

export async function read<Row extends object>(db: Database, text: string): Promise<Row[]> {
  return (await sql.raw<Row>(text).execute(db)).rows
}

type PartnerValues = { code?: string; callbackUrl?: string | null; limits?: object }
type CitizenValues = { mac?: string; dataKey?: string | null; frozen?: boolean; blocked?: number[] }

const onlyId = (rows: { id: number }[]): number => rows[0]!.id

/** Returns the id. */
export async function addPartner(
  db: Database,
  { code = randomUUID(), callbackUrl = null, limits = {} }: PartnerValues = {},
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into partner (partner_code, secret_code, name, purpose, scopes, ip_allow_list, limits,
                         callback_url)
    values (${code}, ${`secret-${code}`}, '', '', '{}', '{}', ${JSON.stringify(limits)}, ${callbackUrl})
    returning id`.execute(db)
  return onlyId(rows)
}

/** Returns the id. Without a data key, the citizen is erased. */
export async function addCitizen(
  db: Database,
  { mac = randomUUID(), dataKey = '', frozen = false, blocked = [] }: CitizenValues = {},
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into citizen (uniqid_mac, subject, data_key, frozen, blocked_partner_ids)
    values (${mac}, gen_random_uuid(), ${dataKey}, ${frozen}, ${blocked}::bigint[]) returning id`.execute(db)
  return onlyId(rows)
}

/** Makes the partner that of a private sandbox. */
export async function addSandbox(db: Database, partnerId: number): Promise<void> {
  await sql`
    insert into sandbox (sandbox_id, slot, partner_id, address_hmac, expires_at)
    values (gen_random_uuid(), ${1_000_000 + partnerId}, ${partnerId}, '', 'infinity')`.execute(db)
}
