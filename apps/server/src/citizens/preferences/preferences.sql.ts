import type { Schemas } from '@tiwala/contract'
import { sql } from 'kysely'
import {
  insertAuditWithDetail,
  assertAllAudited,
  type AdminAction,
  insertAdminAudit,
} from '../../audit/insert-audit.sql.ts'
import type { Database } from '../../database/connect.ts'
import { etagOf, type IfMatch, matches } from '../../database/etag.ts'
import { lockCitizens } from '../citizen-lock.sql.ts'
import { idOfCitizen } from '../id-of-citizen.sql.ts'

type Preferences = Schemas['Preferences']

/** The columns of `Preferences`, of a citizen `c`. */
const PREFERENCES_COLUMNS = sql`c.frozen,
  array(select p.partner_code from partner p where p.id = any(c.blocked_partner_ids)
         order by p.partner_code collate "C") as blocked_partners`

const preferencesEtag = (id: string, frozen: string, blockedIds: string) =>
  etagOf(sql.raw(`${id}, ${frozen}, array(select unnest(${blockedIds}) order by 1)`))

/** `undefined`: the registry does not know the citizen. */
export async function findPreferences(
  db: Database,
  uniqidHmacs: string[],
): Promise<{ stored: Preferences; etag: string } | undefined> {
  const { rows } = await sql<Preferences & { etag: string }>`
    select ${PREFERENCES_COLUMNS}, ${preferencesEtag('c.id', 'c.frozen', 'c.blocked_partner_ids')} as etag
      from citizen c where c.uniqid_hmac = any(${uniqidHmacs})`.execute(db)
  const { etag, ...stored } = rows[0] ?? {}
  return etag === undefined ? undefined : { stored: stored as Preferences, etag }
}

/**
 * One row: what a statement has changed in the citizen `c`, which has the columns `was_frozen` and
 * `were_blocked`. `detail` is, for example, `<subject>: frozen, blocked BANK_A BANK_B`, and null if nothing
 * has changed. It names the citizen by the subject, which identifies no person, so that the change can be
 * applied again after a restore.
 */
const describeChange = sql`
      select null::bigint as partner_id, id as citizen_id, null as tracking_no,
             c.subject || ': ' || nullif(concat_ws(', ',
               case when frozen and not was_frozen then 'frozen'
                    when was_frozen and not frozen then 'unfrozen' end,
               'blocked ' || (
                 select string_agg(p.partner_code, ' ' order by p.partner_code collate "C") from partner p
                  where p.id = any(blocked_partner_ids) and p.id <> all(were_blocked)),
               'unblocked ' || (
                 select string_agg(p.partner_code, ' ' order by p.partner_code collate "C") from partner p
                  where p.id = any(were_blocked) and p.id <> all(blocked_partner_ids))
             ), '') as detail
        from c`

type StoredPreferences = {
  stored: Preferences | null
  etag: string | null
  is_match: boolean | null
  unknown: number[]
}

/**
 * Replaces a citizen's preferences. If a code is not the code of a partner, nothing is stored, and `unknown`
 * has the indexes of these codes. `is_match` false: nothing is stored, since `ifMatch` has another `ETag`; null: the
 * registry does not know the citizen.
 *
 * - `locked_citizen`: the exclusive lock. No disclosure is in progress, and every later one sees the change.
 * - `found`: the citizen, unless erased meanwhile.
 * - `input`: the partner of each code, null if there is none.
 * - `is_match`: whether `ifMatch` has the `ETag` of the locked citizen.
 * - `wanted`: the preferences to store, with the previous ones; none if a partner is unknown, or without a match.
 * - `c`: the citizen, if they differ: unchanged preferences are not written, and have no audit row.
 * - `change`: what has changed, as `describeChange` says it.
 * - `audit`: one row for the change, or the statement fails.
 * - `stored`: the preferences after the change.
 */
export async function putPreferences(
  db: Database,
  uniqidHmacs: string[],
  { frozen, blocked_partners }: Preferences,
  requestId: string,
  ifMatch: IfMatch = null,
): Promise<StoredPreferences> {
  const { rows } = await sql<StoredPreferences>`
    with ${lockCitizens('exclusive', idOfCitizen(uniqidHmacs))}, input as (
      select i.input_no::int - 1 as index, p.id
        from unnest(${blocked_partners}::text[]) with ordinality as i (code, input_no)
        left join partner p on p.partner_code = i.code
    ), found as (
      select c.id, c.frozen as was_frozen, c.blocked_partner_ids as were_blocked
        from locked_citizen l join citizen c on c.id = l.id
       where c.uniqid_hmac = any(${uniqidHmacs}) for no key update of c
    ), match as (
      select ${matches(preferencesEtag('id', 'was_frozen', 'were_blocked'), ifMatch)} as is_match from found
    ), wanted as (
      select f.*, ${frozen}::boolean as frozen, array(select id from input) as blocked_partner_ids
        from found f, match where is_match and not exists (select from input where id is null)
    ), c as (
      update citizen c set frozen = w.frozen, blocked_partner_ids = w.blocked_partner_ids
        from wanted w
       where c.id = w.id
         and (w.was_frozen <> w.frozen or not (w.were_blocked <@ w.blocked_partner_ids
                                               and w.were_blocked @> w.blocked_partner_ids))
      returning c.*, was_frozen, were_blocked
    ), change as (${describeChange}
    ), audit as (${insertAuditWithDetail('change', 'preferences.changed', requestId)}),
    stored as (select ${PREFERENCES_COLUMNS} from wanted c)
    select (select row_to_json(stored) from stored) as stored,
           (select ${preferencesEtag('id', 'frozen', 'blocked_partner_ids')} from wanted) as etag,
           (select is_match from match) as is_match,
           array(select index from input where id is null order by index) as unknown
     where ${assertAllAudited('change')}`.execute(db)
  return rows[0]!
}

/** What a lost change of a citizen's preferences forbids. */
export type Restriction = { freeze: boolean; block: string[] }

/**
 * Freezes the citizen and blocks partners again, after a restore. It never unfreezes or unblocks.
 * `undefined`: no citizen has this subject.
 *
 * - `input`: the partners to block; a code without a partner is left out.
 * - `locked_citizen`: the exclusive lock.
 * - `found`: the citizen. `is_in_effect`: the citizen is erased, or forbids this already. `is_changed_since`: the
 *   citizen has changed the preferences after `at`.
 * - `c`: the citizen, if neither is true.
 * - `change`, `audit`: one row for the change, or the statement fails.
 */
export async function reapplyRestriction(
  db: Database,
  subject: string,
  { freeze, block }: Restriction,
  at: Date,
  action: AdminAction,
): Promise<{ is_in_effect: boolean; is_changed_since: boolean } | undefined> {
  const { rows } = await sql<{ is_in_effect: boolean; is_changed_since: boolean }>`
    with input as (
      select p.id from partner p where p.partner_code = any(${block}::text[])
    ), ${lockCitizens('exclusive', sql`select id from citizen where subject = ${subject}`)},
    found as (
      select c.id, c.frozen as was_frozen, c.blocked_partner_ids as were_blocked,
             c.data_key is null or (c.frozen or not ${freeze}::boolean)
               and c.blocked_partner_ids @> array(select id from input) as is_in_effect,
             exists (
               select from audit_event e
                where e.citizen_id = c.id and e.kind = 'preferences.changed'
                  and e.actor is null and e.occurred_at > ${at}
             ) as is_changed_since
        from locked_citizen l join citizen c on c.id = l.id for no key update of c
    ), c as (
      update citizen c
         set frozen = was_frozen or ${freeze},
             blocked_partner_ids = were_blocked || array(select id from input where id <> all(were_blocked))
        from found f where c.id = f.id and not f.is_in_effect and not f.is_changed_since
      returning c.*, was_frozen, were_blocked
    ), change as (${describeChange}
    ), audit as (${insertAdminAudit({
      ...action,
      from: 'change',
      citizen: 'citizen_id',
      detailColumn: 'detail',
    })})
    select is_in_effect, is_changed_since from found where ${assertAllAudited('change')}`.execute(db)
  return rows[0]
}
