import type { Schemas } from '@tiwala/contract'
import { dataKeyOf, decryptSnapshot, decryptUniqid } from '../citizens/citizen-encryption.ts'
import { toProfile } from '../citizens/profile.ts'
import type { Config } from '../config.ts'
import type { KeyRing } from '../secrets/key-ring.ts'
import type { EncryptedRecord } from './store.ts'

export type RecordRow = Omit<EncryptedRecord, 'uniqid' | 'snapshot'> & { uniqid: string; snapshot: Schemas['Profile'] | null }

export function decryptRecord(keys: KeyRing, sealed: EncryptedRecord): RecordRow {
  const { id, subject, data_key, uniqid } = sealed
  // Erased: the record stays, and names nobody.
  if (data_key === null || uniqid === null) return { ...sealed, uniqid: '-', snapshot: null }
  const dataKey = dataKeyOf(keys, { subject, data_key })
  const snapshot = sealed.snapshot === null ? null : decryptSnapshot(dataKey, id, sealed.snapshot)
  // The profile holds it, too: one opening less.
  return { ...sealed, uniqid: snapshot?.uniqid ?? decryptUniqid(dataKey, subject, uniqid), snapshot }
}

type Inquiry = Schemas['PendingAuthorization'] | Schemas['AcceptedAuthorization'] | Schemas['EndedAuthorization']
export type Viewed = Pick<RecordRow, 'id' | 'tracking_no' | 'qr_value' | 'callback_url'> & { snapshot: Schemas['Profile'] }

/** A record from request authorization (seed section 2.1); the states beyond the seed's two as DESIGN section 3 marks them. */
export function toInquiry(row: RecordRow): Inquiry {
  const payload = { qr_value: row.qr_value }
  const common = { id: row.id, pcn: row.uniqid, scope: 'PROFILE_INQUIRE', tracking_no: row.tracking_no, callback_url: null } as const
  if (row.state === 'PENDING') return { ...common, is_accepted: null, accepted_at: null, payload, response: null }
  if (row.state !== 'ACCEPTED') return toEnded(row)
  return { ...common, is_accepted: 1, accepted_at: row.accepted_at!, payload, response: toProfile(row.snapshot!) }
}

/** A record that gives nothing (any more), whichever way it was opened. */
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

/** A record from profile by QR value (seed section 2.1). */
export function toViewed({ id, tracking_no, qr_value, callback_url, snapshot }: Viewed): Schemas['ViewedAuthorization'] {
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

/** What travels beside the body, since the body holds the seed's fields only. */
export function recordHeaders(row: Pick<RecordRow, 'state'> & { expires_at?: Date | null }, config: Config): Record<string, string> {
  return {
    'X-Authorization-State': row.state,
    'X-Time-Zone': config.timeZone,
    ...(row.state === 'PENDING' && {
      'X-Authorization-Expires-At': row.expires_at!.toISOString(),
      'Retry-After': String(Math.max(1, config.pollIntervalSeconds)),
    }),
  }
}
