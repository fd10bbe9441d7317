// The statements that consume a QR value. A citizen shows a QR value to one partner, once.
//
// A QR value for `inquire` or `share` can start an authorization request (`createPendingRecord`): a PENDING
// record that the citizen then accepts or declines. A QR value for `share` can also disclose the profile at
// once (`createViewedRecord`): a VIEWED record.
//
// States of a QR value: unused, used. It also becomes unusable when it expires, or when a backup is restored
// (its epoch is then old). A value that was made for one partner is unusable for all others.
//
// Example: two partners send the same QR value at the same time. Both statements lock the row of the value.
// The first sets `used_at` and creates its record; the second then reads `used_at` and creates nothing.
//
// Guarantees: one statement checks everything, consumes the value, creates the record and writes the audit,
// or does nothing. All locks are taken before the time is read, so a request that waited for a lock until the
// value expired is too late. If the same partner sends a consumed value again within the retry time, it finds
// the record that it created (`findRecordOfRetry`).
import { type RawBuilder, sql } from 'kysely'
import type { Config } from '../config.ts'
import type { Database } from '../database/connect.ts'
import type { Access } from '../partners/partner.ts'
import { type EncryptedRecord, recordColumns } from './record.sql.ts'
import { isTrackingNo } from './tracking-day.sql.ts'

type Scope = EncryptedRecord['scope']

export type Presentation = Access & { qrHmacs: string[]; qrValue: string; requestId: string }

/** Whether the QR code was made for this partner, or for any. */
export const isForPartner = (code: string, partnerId: RawBuilder<unknown> | number): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${code}.partner_id`)} is null or ${sql.ref(`${code}.partner_id`)} = ${partnerId})`

/**
 * The record that this partner created with this QR value within `qrRetrySeconds`; a retry returns the same
 * record. For an unused value, whose citizen may block this partner, it sends one statement, as for an unknown value:
 * the time of the refusal must not tell them apart.
 */
export async function findRecordOfRetry(
  db: Database,
  partnerId: number,
  qrHmacs: string[],
  scope: Scope,
  { qrRetrySeconds, timeZone }: Config,
): Promise<EncryptedRecord | undefined> {
  const { rows: codes } = await sql<{ tracking_no: string }>`
    select tracking_no from qr_code where hmac = any(${qrHmacs}) and used_at is not null`.execute(db)
  if (!codes[0]) return undefined
  const { rows } = await sql<EncryptedRecord>`
    select ${recordColumns(timeZone)} from authorization_record r join citizen c on c.id = r.citizen_id
     where r.partner_id = ${partnerId} and ${isTrackingNo('r.tracking_no', codes[0].tracking_no)} and r.scope = ${scope}
       and clock_now() < r.requested_at + make_interval(secs => ${qrRetrySeconds})`.execute(db)
  return rows[0]
}
