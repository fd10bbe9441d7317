import { createCipheriv, createDecipheriv, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Schemas } from '@tiwala/contract'
import pg from 'pg'

/** The pool size of the service. */
const CONNECTIONS = 20
const HMAC_KEY = 'a key outside the database'

export type RecordResponse = {
  status: 200
  message: 'OK'
  data: Schemas['AcceptedAuthorization'] | Schemas['EndedAuthorization']
}

type Row = {
  token_hmac: string
  status: string
  scopes: string[]
  id: string | null
  pcn: string
  tracking_no: string
  state: string
  qr_value: string
  accepted_at: string | null
  profile: Schemas['Profile'] | null
  /** Of an equal-work peer, instead of `profile`. */
  sealed_profile: Buffer | null
}

/** With equal work, a peer decrypts the profile, and commits an audit row for each response, as the service does. */
const HAS_EQUAL_WORK = process.env['EQUAL_WORK'] === 'true'
const PROFILE_KEY = createHmac('sha256', HMAC_KEY).update('profile').digest()
const [IV_BYTES, TAG_BYTES] = [12, 16]

export function sealProfile(profile: object): Buffer {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', PROFILE_KEY, iv)
  const sealed = Buffer.concat([cipher.update(JSON.stringify(profile)), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed])
}

function openProfile(sealed: Buffer): Schemas['Profile'] {
  const decipher = createDecipheriv('aes-256-gcm', PROFILE_KEY, sealed.subarray(0, IV_BYTES))
  decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
  const text =
    decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
  return JSON.parse(text) as Schemas['Profile']
}

export const connect = () => new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: CONNECTIONS })

export const hmacOf = (secretToken: string): string =>
  createHmac('sha256', HMAC_KEY).update(secretToken).digest('base64url')

const COLUMNS = `p.token_hmac, p.status, p.scopes, r.id, r.pcn, r.tracking_no, r.state, r.qr_value,
         to_char(r.accepted_at at time zone 'Asia/Manila', 'YYYY-MM-DD HH24:MI:SS') as accepted_at`

/** Reads the credential and the record in one round trip. Each connection prepares the statement once. */
const READ = `
  select ${COLUMNS}, case when now() < r.profile_until then r.profile end as profile
    from partner p left join record r on r.partner_id = p.id and r.tracking_no = $2
   where p.secret_code = $1`

/** The same, and commits the audit row of the response in the same statement, if there will be one. */
const READ_AND_AUDIT = `
  with found as (
    select ${COLUMNS}, p.id as partner_id,
           case when now() < r.profile_until then r.sealed_profile end as sealed_profile
      from partner p left join record r on r.partner_id = p.id and r.tracking_no = $2
     where p.secret_code = $1
  ), audited as (
    insert into audit (partner_id, record_id, pcn, kind, request_id)
    select partner_id, id, pcn, 'profile.disclosed', $4 from found
     where token_hmac = $3 and status = 'ACTIVE' and 'PROFILE_INQUIRE' = any (scopes) and id is not null
       and (state <> 'ACCEPTED' or sealed_profile is not null)
  )
  select * from found`

/** Returns the response body, or the HTTP status of the error. */
export async function findRecord(
  pool: pg.Pool,
  secretCode: string | undefined,
  secretToken: string | undefined,
  trackingNo: string,
): Promise<RecordResponse | { errorStatus: 401 | 403 | 404 | 410 }> {
  if (!secretCode || !secretToken) return { errorStatus: 401 }
  const hmac = hmacOf(secretToken)
  const values = [secretCode, trackingNo]
  const { rows } = await pool.query<Row>(
    HAS_EQUAL_WORK
      ? {
          name: 'read-and-audit',
          text: READ_AND_AUDIT,
          values: [...values, hmac, `req_${randomBytes(16).toString('base64url')}`],
        }
      : { name: 'read', text: READ, values },
  )
  const row = rows[0]
  if (!row || !isEqual(hmac, row.token_hmac)) return { errorStatus: 401 }
  if (row.status !== 'ACTIVE' || !row.scopes.includes('PROFILE_INQUIRE')) return { errorStatus: 403 }
  if (row.id === null) return { errorStatus: 404 }
  if (row.sealed_profile) row.profile = openProfile(row.sealed_profile)
  if (row.state === 'ACCEPTED' && !row.profile) return { errorStatus: 410 }
  return { status: 200, message: 'OK', data: toData(row) }
}

const isEqual = (hmac: string, storedHmac: string) =>
  hmac.length === storedHmac.length && timingSafeEqual(Buffer.from(hmac), Buffer.from(storedHmac))

function toData(row: Row): RecordResponse['data'] {
  const { pcn, tracking_no, qr_value, accepted_at, profile } = row
  const ids = { id: Number(row.id), pcn, scope: 'PROFILE_INQUIRE', tracking_no } as const
  const common = { ...ids, callback_url: null, payload: { qr_value } }
  return row.state === 'ACCEPTED'
    ? { ...common, is_accepted: 1, accepted_at: accepted_at!, response: profile! }
    : { ...common, is_accepted: 0, accepted_at, response: null }
}
