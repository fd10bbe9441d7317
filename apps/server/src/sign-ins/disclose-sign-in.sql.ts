// The statements that disclose an approved request to sign in. The partner's server redeems its code, and gets the items once in the
// ID token (`discloseSignIn`), and for some minutes from userinfo (`discloseUserinfo`).
//
// Guarantees: each is one conditional statement, judged by its row count, with its audit row. It checks after all locks that the
// partner is active and still granted the purpose and every item, that the citizen allows it, that the assurance is enough, and that
// the request was approved in the current epoch.
import { type RawBuilder, sql } from 'kysely'
import { assertAllAudited, insertAuditWithDetail } from '../audit/insert-audit.sql.ts'
import type { StoredCitizen } from '../citizens/citizen-encryption.ts'
import { citizenAllows, lockCitizens } from '../citizens/citizen-lock.sql.ts'
import { batched, type BatchRow, unnestHmacs } from '../database/batch.ts'
import { lockTime } from '../database/clock.ts'
import type { Database } from '../database/connect.ts'
import type { Item } from './items.ts'
import { PARTNER_IS_CURRENT, reaches } from './sign-in.sql.ts'

export type DisclosedCitizen = StoredCitizen & { shared_items: Item[] }

/** The conditions of every disclosure of the locked `request`. No code or token lives longer than the 20 minutes. */
const mayDisclose = (
  levels: string[],
) => sql<boolean>`request.state = 'APPROVED' and ${citizenAllows('c', sql`r.partner_id`)}
         and request.epoch = (select current_epoch()) and now < request.answered_at + interval '20 minutes' and ${PARTNER_IS_CURRENT}
         and exists (
           select from sign_in_purpose g
            where g.partner_id = r.partner_id and g.name = r.purpose
              and r.shared_items <@ (g.items || g.optional_items)
              and ${reaches(levels, sql`r.acr`, 'g.minimum_acr')} and ${reaches(levels, sql`r.acr`, 'r.minimum_acr')})`

/** The condition that the partner of `r` used a key, or that this secret of it is valid. */
const secretIsValid = (credentialId: string) => sql<boolean>`(${sql.ref(credentialId)} is null or exists (
           select from credential k where k.id = ${sql.ref(credentialId)} and k.partner_id = r.partner_id
              and k.revoked_at is null and now < k.expires_at))`

type Disclosure = {
  grantHmacs: string[]
  partnerCode: string
  /** The setting, the same for each disclosure. */
  levels: string[]
  requestId: string
  /** The secret that authenticated the partner. */
  credentialId?: number | null
}
/** A statement changes a row once, so a batch has each grant once. */
const ofGrant = ({ grantHmacs }: Disclosure) => grantHmacs[0] ?? ''

type DisclosureKind = { kind: string; change: RawBuilder<unknown>; condition: RawBuilder<unknown> }

/**
 * Discloses the items of an approved request, once. `undefined`: it may not be disclosed, and nothing has changed.
 * Single use: the row is locked, and `disclosed_at` was null.
 */
export const discloseSignIn = batched(
  (db, all: (Disclosure & { credentialId: number | null })[]) =>
    disclose(db, all, {
      kind: 'sso.authenticated',
      change: sql`disclosed_at = now, credential_id = request.presented_id`,
      condition: sql`request.disclosed_at is null and ${secretIsValid('request.presented_id')}`,
    }),
  ofGrant,
)

/** Each read is a row of the audit. */
const MAX_USERINFO_READS = 20

/**
 * Discloses the same items again, for userinfo: only after the ID token, while the secret that redeemed the code is
 * valid, and a bounded number of times.
 */
export const discloseUserinfo = batched(
  (db, all: Disclosure[]) =>
    disclose(db, all, {
      kind: 'sign_in.userinfo_read',
      change: sql`userinfo_reads = r.userinfo_reads + 1`,
      condition: sql`request.disclosed_at is not null and request.userinfo_reads < ${MAX_USERINFO_READS}
         and ${secretIsValid('request.credential_id')}`,
    }),
  ofGrant,
)

/**
 * - `request`: the locked requests, in the order of their ids.
 * - `locked_citizen`, `lock_time`: their citizens, with the shared locks; and the time after all these locks.
 * - `disclosure`: the requests that may be disclosed.
 * - `audit`: one row for each, that names the items, or the statement fails.
 */
async function disclose(
  db: Database,
  all: Disclosure[],
  { kind, change, condition }: DisclosureKind,
): Promise<(DisclosedCitizen & BatchRow)[]> {
  const { rows } = await sql<DisclosedCitizen & BatchRow>`
    with request as (
      select r.*, i.input_no, i.request_id, i.presented_id, c.subject, c.data_key, c.profile, c.passport
        from ${unnestHmacs(all, ({ grantHmacs }) => grantHmacs, {
          partner_code: ['text', ({ partnerCode }) => partnerCode],
          request_id: ['text', ({ requestId }) => requestId],
          presented_id: ['bigint', ({ credentialId }) => credentialId ?? null],
        })}
        join sign_in_request r on r.grant_hmac = i.hmac join citizen c on c.id = r.citizen_id
       where r.partner_id = (select id from partner p where p.partner_code = i.partner_code)
       order by r.id for update of r
    ), ${lockCitizens('shared', sql`select citizen_id from request`)}, ${lockTime('locked_citizen')}, disclosure as (
      update sign_in_request r set ${change}
        from lock_time, request join locked_citizen c on c.id = request.citizen_id
       where r.id = request.id and ${condition} and ${mayDisclose(all[0]!.levels)}
      returning r.partner_id, r.citizen_id, null as tracking_no, array_to_string(r.shared_items, ' ') as detail,
                r.shared_items, request.input_no, request.request_id, request.subject, request.data_key,
                request.profile, request.passport
    ), audit as (${insertAuditWithDetail('disclosure', kind)})
    select input_no, subject, data_key, profile, passport, shared_items
      from disclosure where ${assertAllAudited('disclosure')}`.execute(db)
  return rows
}

/** Why a request may not be disclosed. What the citizen forbids is not told. */
export type WithheldReason = { is_granted: boolean; is_assured: boolean }

export async function findWithheldReason(
  db: Database,
  { grantHmacs, partnerCode, levels }: Omit<Disclosure, 'requestId'>,
): Promise<WithheldReason | undefined> {
  const { rows } = await sql<WithheldReason>`
    select coalesce(r.shared_items <@ (g.items || g.optional_items), false) as is_granted,
           ${reaches(levels, sql`r.acr`, 'g.minimum_acr')} as is_assured
      from sign_in_request r join partner p on p.id = r.partner_id and p.partner_code = ${partnerCode}
      left join sign_in_purpose g on g.partner_id = r.partner_id and g.name = r.purpose
     where r.grant_hmac = any(${grantHmacs})`.execute(db)
  return rows[0]
}
