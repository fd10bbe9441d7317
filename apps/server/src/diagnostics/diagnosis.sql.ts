import type { Schemas } from '@tiwala/contract'
import { sql } from 'kysely'
import { isForPartner } from '../authorizations/qr-presentation.sql.ts'
import { citizenAllows } from '../citizens/citizen-lock.sql.ts'
import { NOW } from '../database/clock.ts'
import type { Database } from '../database/connect.ts'
import { deleteOldRows } from '../database/delete-old-rows.ts'

/** A value to look up. `ago_seconds`: how long ago the request was refused, measured by this process. */
export type ValueLookup = {
  partner_id: number | null
  secret_code: string | null
  partner_code: string | null
  kind: string | null
  hmacs: string[]
  ago_seconds: number
}

/** What the database knows of a presented value. Times are seconds before the refusal. */
export type FoundValue = {
  is_known: boolean
  /** Whether the value belongs to this partner, or was used by it. */
  is_own: boolean
  used_ago: number | null
  expired_ago: number | null
  revoked_ago: number | null
  /** Since when the secret that obtained an access token is revoked or expired. */
  secret_ended_ago: number | null
  purpose: string | null
}

export type LookupResult = FoundValue & { index: number; partner_id: number; occurred_at: Date }

/**
 * Looks up presented values in one statement. The results are by the index of each value; values of unknown
 * partners have none. A value whose citizen was erased, is frozen or blocks the partner is not found, unless
 * the partner has used the value itself and so knows it. Nor is a QR value that was made for another partner.
 *
 * - `input`: the values whose partner exists, with the time of the refusal.
 * - `f`: the QR value, exchange code, access token or credential with the HMAC.
 */
export async function lookUpValues(db: Database, lookups: ValueLookup[]): Promise<Map<number, LookupResult>> {
  const inputs = lookups.map((lookup, index) => ({ index, ...lookup }))
  const { rows } = await sql<LookupResult>`
    with input as (
      select q.index, q.kind, q.hmacs, clock_now() - make_interval(secs => q.ago_seconds) as occurred_at,
             p.id as partner_id
        from json_to_recordset(${JSON.stringify(inputs)}::text::json)
               as q (index int, partner_id bigint, secret_code text, partner_code text, kind text,
                     hmacs text[], ago_seconds float8)
        join partner p on p.id = coalesce(q.partner_id,
                                          (select id from partner where secret_code = q.secret_code),
                                          (select id from partner where partner_code = q.partner_code))
    )
    select i.index, i.partner_id, i.occurred_at, f.expires_at is not null as is_known,
           coalesce(f.partner_id = i.partner_id, false) as is_own, f.purpose,
           extract(epoch from i.occurred_at - f.used_at)::float8 as used_ago,
           extract(epoch from i.occurred_at - f.expires_at)::float8 as expired_ago,
           extract(epoch from i.occurred_at - f.revoked_at)::float8 as revoked_ago,
           extract(epoch from i.occurred_at - f.secret_ended_at)::float8 as secret_ended_ago
      from input i left join lateral (
        select r.partner_id, q.used_at, q.expires_at, null::timestamptz as revoked_at, q.purpose,
               null::timestamptz as secret_ended_at
          from qr_code q join citizen c on c.id = q.citizen_id
          left join authorization_record r on r.partner_id = i.partner_id and r.tracking_no = q.tracking_no
         where i.kind = 'qr_value' and q.hmac = any(i.hmacs)
           and (${citizenAllows('c', sql`i.partner_id`)} or r.partner_id = i.partner_id)
           and ${isForPartner('q', sql`i.partner_id`)}
        union all
        select x.partner_id, x.redeemed_at, x.expires_at, null, null, null
          from exchange_code x join citizen c on c.id = x.citizen_id
         where i.kind = 'exchange_code' and x.hmac = any(i.hmacs)
           and (${citizenAllows('c', sql`i.partner_id`)}
                or (x.partner_id = i.partner_id and x.redeemed_at is not null))
        union all
        select t.partner_id, t.used_at, t.expires_at, t.revoked_at, null, least(k.revoked_at, k.expires_at)
          from access_token t join citizen c on c.id = t.citizen_id
          left join credential k on k.id = t.credential_id
         where i.kind = 'access_token' and t.hmac = any(i.hmacs)
           and (${citizenAllows('c', sql`i.partner_id`)} or t.used_at is not null or t.revoked_at is not null)
        union all
        select r.partner_id, r.disclosed_at, s.expires_at, null, null, null
          from oidc_state s join sign_in_request r on r.grant_hmac = s.grant_hmac join citizen c on c.id = r.citizen_id
         where i.kind = 'authorization_code' and s.model = 'AuthorizationCode' and s.id_hmac = any(i.hmacs)
           and ${citizenAllows('c', sql`i.partner_id`)}
        union all
        select partner_id, null, expires_at, revoked_at, null, null from credential c
         where c.partner_id = i.partner_id and c.kind = i.kind and hmac = any(i.hmacs)
        limit 1
      ) f on true`.execute(db)
  return new Map(rows.map((row) => [row.index, row]))
}

export type DiagnosisRow = Omit<Schemas['Diagnosis'], 'occurred_at'> & { occurred_at: Date }

/** A diagnosis that exists already does not change. */
export async function insertDiagnoses(
  db: Database,
  diagnoses: (DiagnosisRow & { partner_id: number })[],
): Promise<void> {
  await sql`
    insert into diagnosis (request_id, partner_id, operation, occurred_at, status, error, checks)
    select request_id, partner_id, operation, occurred_at, status, error, checks
      from json_to_recordset(${JSON.stringify(diagnoses)}::text::json)
             as d (request_id text, partner_id bigint, operation text, occurred_at timestamptz,
                   status int, error text, checks json)
    on conflict (request_id) do nothing`.execute(db)
}

/** One index probe on (request, partner): the diagnosis of another partner looks exactly like none. */
export async function findDiagnosis(
  db: Database,
  partnerId: number,
  requestId: string,
  keptHours: number,
): Promise<DiagnosisRow | undefined> {
  const { rows } = await sql<DiagnosisRow>`
    select request_id, operation, occurred_at, status, error, checks from diagnosis
     where request_id = ${requestId} and partner_id = ${partnerId}
       and clock_now() < occurred_at + make_interval(hours => ${keptHours})`.execute(db)
  return rows[0]
}

/** Deletes diagnoses that can no longer be read; returns how many. */
export function deleteOldDiagnoses(db: Database, keptHours: number, limit: number): Promise<number> {
  const isOld = sql`occurred_at < ${NOW} - make_interval(hours => ${keptHours})`
  return deleteOldRows(db, 'diagnosis', ['request_id'], isOld, limit)
}
