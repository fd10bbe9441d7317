import { createHmac, timingSafeEqual } from 'node:crypto'
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
}

export const connect = () => new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: CONNECTIONS })

export const hmacOf = (secretToken: string): string =>
  createHmac('sha256', HMAC_KEY).update(secretToken).digest('base64url')

/** Reads the credential and the record in one round trip. Each connection prepares the statement once. */
const STATEMENT = `
  select p.token_hmac, p.status, p.scopes, r.id, r.pcn, r.tracking_no, r.state, r.qr_value,
         to_char(r.accepted_at at time zone 'Asia/Manila', 'YYYY-MM-DD HH24:MI:SS') as accepted_at,
         case when now() < r.profile_until then r.profile end as profile
    from partner p left join record r on r.partner_id = p.id and r.tracking_no = $2
   where p.secret_code = $1`

/** Returns the response body, or the HTTP status of the error. */
export async function findRecord(
  pool: pg.Pool,
  secretCode: string | undefined,
  secretToken: string | undefined,
  trackingNo: string,
): Promise<RecordResponse | { errorStatus: 401 | 403 | 404 | 410 }> {
  if (!secretCode || !secretToken) return { errorStatus: 401 }
  const values = [secretCode, trackingNo]
  const { rows } = await pool.query<Row>({ name: 'find-record', text: STATEMENT, values })
  const row = rows[0]
  if (!row || !isEqual(hmacOf(secretToken), row.token_hmac)) return { errorStatus: 401 }
  if (row.status !== 'ACTIVE' || !row.scopes.includes('PROFILE_INQUIRE')) return { errorStatus: 403 }
  if (row.id === null) return { errorStatus: 404 }
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
