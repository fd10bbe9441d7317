import type { Schemas } from '@tiwala/contract'
import { type RawBuilder, sql } from 'kysely'
import { insertAdminAudit, insertAuditWithDetail, type AdminAction, assertAllAudited } from '../audit/store.ts'
import type { Database } from '../database/connect.ts'

/** A citizen as stored: their own key wrapped by ours, everything else of theirs sealed by it. */
export type EncryptedCitizen = {
  /** What the seals are tied to; it tells nothing. */
  subject: string
  data_key: string
  uniqid: string
  profile: string
  passport: string | null
}

/** Advisory locks of two numbers: this one, and the citizen. Locks of one number are of another kind. */
const CITIZEN_GATE = 1

/**
 * The query `lockCitizens`, one row: it locks the citizens of the query `ids` (a column `id`) before their rows are locked. PostgreSQL lets new
 * readers (`for share`) join those that hold a row while a writer waits for it, so a partner that reads without a pause could keep a citizen
 * from freezing. These locks queue: a reader that comes after a waiting writer waits for it. They are taken in one order, so that
 * statements with several citizens never wait for each other. A statement that reads the same record again and again takes the shared lock,
 * and each that changes a citizen's row the exclusive one. x.
 */
export const lockCitizens = (mode: 'shared' | 'exclusive', ids: RawBuilder<unknown>): RawBuilder<unknown> => {
  const lock = sql.raw(mode === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock')
  return sql`citizen_lock as materialized (
      select count(${lock}(${sql.lit(CITIZEN_GATE)}, key)) from (
        select distinct (id & 2147483647)::int as key from (${ids}) citizens order by key
      ) keys
    )`
}

const byUniqid = (uniqidHmacs: string[]) => sql`select id from citizen where uniqid_mac = any(${uniqidHmacs})`

/** Makes everything of a citizen's unreadable, wherever it was copied, and refuses whatever they had handed out. */
export async function destroyDataKey(
  db: Database,
  uniqidHmacs: string[],
  action: Pick<AdminAction, 'actor' | 'requestId'>,
): Promise<{ subject: string; erased_at: Date } | undefined> {
  const { rows } = await sql<{ subject: string; erased_at: Date }>`
    with ${lockCitizens('exclusive', byUniqid(uniqidHmacs))}, erased as (
      update citizen set data_key = null, uniqid = null, profile = null, passport = null, frozen = true, uniqid_mac = 'erased.' || subject
        from citizen_lock where uniqid_mac = any(${uniqidHmacs}) returning id, subject
    ), audited as (${insertAdminAudit({ ...action, kind: 'citizen.erased', from: 'erased', citizen: 'id' })})
    select subject, clock_now() as erased_at from erased`.execute(db)
  return rows[0]
}

export type KeyedCitizen = { id: number; subject: string; data_key: string; uniqid: string }

/** Of citizens whose key is wrapped, or whose name is hashed, by another key than these. */
const isBehind = (wrappingKid: string, pepperKid: string) =>
  sql`data_key is not null and (split_part(data_key, '.', 1) <> ${wrappingKid} or split_part(uniqid_mac, '.', 1) <> ${pepperKid})`

export async function findWithOldKeys(db: Database, wrappingKid: string, pepperKid: string, limit: number): Promise<KeyedCitizen[]> {
  const { rows } = await sql<KeyedCitizen>`
    select id, subject, data_key, uniqid from citizen where ${isBehind(wrappingKid, pepperKid)} limit ${limit}`.execute(db)
  return rows
}

export async function countWithOldKeys(db: Database, wrappingKid: string, pepperKid: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from citizen where ${isBehind(wrappingKid, pepperKid)}`.execute(db)
  return rows[0]!.count
}

export type Moved = { id: number; from: string; data_key: string; uniqid_mac: string }

/** Moves a citizen only where the key is still the one that was read: a citizen who was erased meanwhile stays erased. */
export async function updateKeys(db: Database, moved: Moved[], action: Pick<AdminAction, 'actor' | 'requestId'>): Promise<void> {
  const rewrapped = { ...action, kind: 'keys.rewrapped', detail: String(moved.length) }
  await sql`
    with ${lockCitizens('exclusive', sql`select unnest(${moved.map(({ id }) => id)}::bigint[]) as id`)},
    noted as (${insertAdminAudit({ ...rewrapped, from: '(values (1)) as done' })})
    update citizen c set data_key = m.data_key, uniqid_mac = m.uniqid_mac
      from unnest(${moved.map(({ id }) => id)}::bigint[], ${moved.map(({ from }) => from)}::text[],
                  ${moved.map(({ data_key }) => data_key)}::text[], ${moved.map(({ uniqid_mac }) => uniqid_mac)}::text[])
             as m (id, was, data_key, uniqid_mac), citizen_lock
     where c.id = m.id and c.data_key = m.was`.execute(db)
}

/** The citizen's own key, to seal what replaces the old. */
export async function findDataKey(
  db: Database,
  uniqidHmacs: string[],
): Promise<Pick<EncryptedCitizen, 'subject' | 'data_key'> | undefined> {
  const { rows } = await sql<Pick<EncryptedCitizen, 'subject' | 'data_key'>>`
    select subject, data_key from citizen where uniqid_mac = any(${uniqidHmacs})`.execute(db)
  return rows[0]
}

/** Writes a citizen who was unknown. False: somebody was faster. */
export async function insertCitizen(db: Database, uniqidHmac: string, sealed: EncryptedCitizen, action?: AdminAction): Promise<boolean> {
  const { subject, data_key, uniqid, profile, passport } = sealed
  const { rows } = await sql`
    with c as (
      insert into citizen (uniqid_mac, subject, data_key, uniqid, profile, passport)
      values (${uniqidHmac}, ${subject}, ${data_key}, ${uniqid}, ${profile}, ${passport})
      on conflict (uniqid_mac) do nothing returning id
    ), ${noted(action)}
    select from c`.execute(db)
  return rows.length === 1
}

/** Replaces what the registry knows of a citizen, keeping what they prefer. False: erased meanwhile. */
export async function updateCitizen(
  db: Database,
  { subject, profile, passport }: EncryptedCitizen,
  action?: AdminAction,
): Promise<boolean> {
  const { rows } = await sql`
    with ${lockCitizens('exclusive', sql`select id from citizen where subject = ${subject}`)}, c as (
      update citizen set profile = ${profile}, passport = ${passport} from citizen_lock where subject = ${subject} and data_key is not null returning id
    ), ${noted(action)}
    select from c`.execute(db)
  return rows.length === 1
}

/** Who wrote the citizen `c`, if somebody asked for it. */
const noted = (action?: AdminAction) =>
  sql`noted as (${action ? insertAdminAudit({ ...action, from: 'c', citizen: 'c.id' }) : sql`select`})`

type Preferences = Schemas['Preferences']

/** Of a citizen `c`. */
const PREFERENCES = sql`c.frozen,
  array(select p.partner_code from partner p where p.id = any(c.blocked_partner_ids) order by p.partner_code collate "C") as blocked_partners`

/** `undefined`: the registry does not know the citizen. */
export async function findPreferences(db: Database, uniqidHmacs: string[]): Promise<Preferences | undefined> {
  const { rows } = await sql<Preferences>`select ${PREFERENCES} from citizen c where c.uniqid_mac = any(${uniqidHmacs})`.execute(db)
  return rows[0]
}

/**
 * Replaces both, unless a code is not a partner's: then nothing is stored, and `unknown` tells where these codes stand.
 * Nothing is stored for a citizen whom the registry does not know, either.
 */
export async function putPreferences(
  db: Database,
  uniqidHmacs: string[],
  { frozen, blocked_partners }: Preferences,
  requestId: string,
): Promise<{ stored: Preferences | null; unknown: number[] }> {
  const { rows } = await sql<{ stored: Preferences | null; unknown: number[] }>`
    with ${lockCitizens('exclusive', byUniqid(uniqidHmacs))}, given as (
      select g.place::int - 1 as index, p.id
        from unnest(${blocked_partners}::text[]) with ordinality as g (code, place) left join partner p on p.partner_code = g.code
    ), held as (
      select id, frozen as was_frozen, blocked_partner_ids as were_blocked
        from citizen c, citizen_lock where c.uniqid_mac = any(${uniqidHmacs}) for no key update of c
    ), c as (
      update citizen c set frozen = ${frozen}, blocked_partner_ids = array(select id from given)
        from held where c.id = held.id and not exists (select from given where id is null)
      returning c.*, was_frozen, were_blocked
    ), changed as (
      select null::bigint as partner_id, id as citizen_id, null as tracking_no, nullif(concat_ws(', ',
             case when frozen and not was_frozen then 'frozen' when was_frozen and not frozen then 'unfrozen' end,
             'blocked ' || nullif((select count(*) from unnest(blocked_partner_ids) b where b <> all(were_blocked)), 0),
             'unblocked ' || nullif((select count(*) from unnest(were_blocked) b where b <> all(blocked_partner_ids)), 0)), '') as detail
        from c
    ), audited as (${insertAuditWithDetail('changed', 'preferences.changed', requestId)}),
    stored as (select ${PREFERENCES} from c)
    select (select row_to_json(stored) from stored) as stored, array(select index from given where id is null order by index) as unknown
     where ${assertAllAudited('changed')}`.execute(db)
  return rows[0]!
}

/**
 * The condition that every statement that discloses must hold: the citizen, whose row the query calls `citizen`, forbids nothing to
 * this partner. Written into the statement itself, so that nothing is given after the citizen was told that nothing will be.
 */
export const citizenAllows = (citizen: string, partnerId: RawBuilder<unknown> | number): RawBuilder<boolean> =>
  sql<boolean>`(not ${sql.ref(`${citizen}.frozen`)} and not (${partnerId} = any(${sql.ref(`${citizen}.blocked_partner_ids`)})))`
