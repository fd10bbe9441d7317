import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { type EncryptedCitizen, insertCitizen } from '../../src/citizens/store.ts'
import type { Database } from '../../src/database/connect.ts'

export type StoredCitizen = EncryptedCitizen & { id: number; uniqid_mac: string }

/** Adds a citizen whose values are not encrypted, for tests of the statements. */
export async function addCitizen(
  db: Database,
  { uniqid_mac = randomUUID(), ...values }: Partial<Omit<StoredCitizen, 'id'>> = {},
): Promise<StoredCitizen> {
  const texts = { data_key: 'data key', uniqid: 'uniqid', profile: 'profile', passport: null }
  const citizen = { subject: randomUUID(), ...texts, ...values }
  await insertCitizen(db, uniqid_mac, citizen)
  const { rows } = await sql<{ id: number }>`
    select id from citizen where uniqid_mac = ${uniqid_mac}`.execute(db)
  return { ...citizen, uniqid_mac, id: rows[0]!.id }
}
