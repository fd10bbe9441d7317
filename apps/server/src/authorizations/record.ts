import type { Schemas } from '@tiwala/contract'
import { dataKeyOf, decryptSnapshot, decryptUniqid } from '../citizens/citizen-encryption.ts'
import { toProfile } from '../citizens/profile.ts'
import type { Config } from '../config.ts'
import type { KeyRing } from '../secrets/key-ring.ts'
import type { EncryptedRecord } from './record.sql.ts'

export type RecordRow = Omit<EncryptedRecord, 'uniqid' | 'snapshot'> & {
  uniqid: string
  snapshot: Schemas['Profile'] | null
}

export function decryptRecord(keys: KeyRing, encrypted: EncryptedRecord): RecordRow {
  const { id, subject, data_key, uniqid } = encrypted
  // The citizen was erased: the record stays, without personal data.
  if (data_key === null || uniqid === null) return { ...encrypted, uniqid: '-', snapshot: null }
  const dataKey = dataKeyOf(keys, { subject, data_key })
  const snapshot = encrypted.snapshot === null ? null : decryptSnapshot(dataKey, id, encrypted.snapshot)
  // The profile contains the uniqid, which saves one decryption.
  return { ...encrypted, uniqid: snapshot?.uniqid ?? decryptUniqid(dataKey, subject, uniqid), snapshot }
}

type Inquiry =
  | Schemas['PendingAuthorization']
  | Schemas['AcceptedAuthorization']
  | Schemas['EndedAuthorization']
export type Viewed = Pick<RecordRow, 'id' | 'tracking_no' | 'qr_value' | 'callback_url'> & {
  snapshot: Schemas['Profile']
}

/**
 * A record that was created by request authorization. Every state but pending and accepted has the form of an
 * ended record.
 */
export function toInquiry(row: RecordRow): Inquiry {
  const payload = { qr_value: row.qr_value }
  const common = {
    id: row.id,
    pcn: row.uniqid,
    scope: 'PROFILE_INQUIRE',
    tracking_no: row.tracking_no,
    callback_url: null,
  } as const
  if (row.state === 'PENDING')
    return { ...common, is_accepted: null, accepted_at: null, payload, response: null }
  if (row.state !== 'ACCEPTED') return toEnded(row)
  return {
    ...common,
    is_accepted: 1,
    accepted_at: row.accepted_at!,
    payload,
    response: toProfile(row.snapshot!),
  }
}

/** A record without a profile, whichever operation created it. */
export function toEnded(row: RecordRow): Schemas['EndedAuthorization'] {
  const { id, scope, tracking_no, callback_url, accepted_at, qr_value } = row
  return {
    id,
    pcn: scope === 'PROFILE_VIEW' ? '-' : row.uniqid,
    scope,
    tracking_no,
    callback_url,
    is_accepted: 0,
    accepted_at,
    payload: { qr_value },
    response: null,
  }
}

/** A record that was created by profile by QR value. */
export function toViewed({
  id,
  tracking_no,
  qr_value,
  callback_url,
  snapshot,
}: Viewed): Schemas['ViewedAuthorization'] {
  const payload = { qr_value }
  return {
    id,
    pcn: '-',
    scope: 'PROFILE_VIEW',
    tracking_no,
    callback_url,
    is_accepted: null,
    accepted_at: null,
    payload,
    response: toProfile(snapshot),
  }
}

/** The state is sent in headers, since the fields of the body are fixed. */
export function recordHeaders(
  row: Pick<RecordRow, 'state'> & { expires_at?: Date | null },
  config: Config,
): Record<string, string> {
  return {
    'X-Authorization-State': row.state,
    'X-Time-Zone': config.timeZone,
    ...(row.state === 'PENDING' && {
      'X-Authorization-Expires-At': row.expires_at!.toISOString(),
      'Retry-After': String(Math.max(1, config.pollIntervalSeconds)),
    }),
  }
}
