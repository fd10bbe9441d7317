import { sql } from 'kysely'
import { insertAdminAudit, type AdminAction } from '../../audit/store.ts'
import type { Database } from '../../database/connect.ts'
import type { EncryptionKeys } from '../citizen-encryption.ts'
import { lockCitizens, type EncryptedCitizen } from '../store.ts'

/** The keys of those who are known, by every hash under which they may be looked for. */
export async function findDataKeys(db: Database, uniqidHmacs: string[]): Promise<Map<string, EncryptionKeys>> {
  const { rows } = await sql<EncryptionKeys & { uniqid_mac: string }>`
    select uniqid_mac, subject, data_key from citizen where uniqid_mac = any(${uniqidHmacs})`.execute(db)
  return new Map(rows.map(({ uniqid_mac, subject, data_key }) => [uniqid_mac, { subject, data_key }]))
}

export type ToWrite = EncryptedCitizen & { uniqid_mac: string; is_known: boolean }

/**
 * Writes citizens, who were known or not when that was last asked; gives the subjects of those that were written. Another is
 * left out: somebody else created or erased them meanwhile.
 */
export async function writeCitizens(db: Database, citizens: ToWrite[], action: AdminAction): Promise<Set<string>> {
  const { rows } = await sql<{ subject: string }>`
    with given as (
      select * from json_to_recordset(${JSON.stringify(citizens)}::text::json)
        as g (is_known boolean, uniqid_mac text, subject uuid, data_key text, uniqid text, profile text, passport text)
    ), ${lockCitizens('exclusive', sql`select c.id from citizen c join given g on g.is_known and g.subject = c.subject`)}, held as (
      select c.id from citizen_lock, citizen c join given g on g.is_known and g.subject = c.subject order by c.id for no key update of c
    ), replaced as (
      update citizen c set profile = g.profile, passport = g.passport from given g, held h
       where c.id = h.id and g.subject = c.subject and c.data_key is not null returning c.id, c.subject
    ), created as (
      insert into citizen (uniqid_mac, subject, data_key, uniqid, profile, passport)
      select uniqid_mac, subject, data_key, uniqid, profile, passport from given where not is_known order by uniqid_mac
      on conflict (uniqid_mac) do nothing returning id, subject
    ), written as (
      select id, subject from replaced union all select id, subject from created
    ), noted as (${insertAdminAudit({ ...action, from: 'written', citizen: 'id' })})
    select subject from written`.execute(db)
  return new Set(rows.map(({ subject }) => subject))
}
