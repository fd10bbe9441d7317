import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Schemas } from '@tiwala/contract'
import pg from 'pg'

/** As many connections as ours. */
const CONNECTIONS = 20

export const PEER_MAC_KEY = 'a key outside the database'

export type RecordAnswer = { status: 200; message: 'OK'; data: Schemas['AcceptedAuthorization'] | Schemas['EndedAuthorization'] }

type Row = {
  token_mac: string
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

/** Credential and record in one round trip, prepared once a connection. */
const STATEMENT = `
  select p.token_mac, p.status, p.scopes, r.id, r.pcn, r.tracking_no, r.state, r.qr_value,
         to_char(r.accepted_at at time zone 'Asia/Manila', 'YYYY-MM-DD HH24:MI:SS') as accepted_at,
         case when now() < r.profile_until then r.profile end as profile
    from partner p left join record r on r.partner_id = p.id and r.tracking_no = $2
   where p.secret_code = $1`

/** What the request is to be answered: the record, or the status of its refusal. */
export async function findRecord(
  pool: pg.Pool,
  secretCode: string | undefined,
  secretToken: string | undefined,
  trackingNo: string,
): Promise<RecordAnswer | { refusal: 401 | 403 | 404 | 410 }> {
  if (!secretCode || !secretToken) return { refusal: 401 }
  const { rows } = await pool.query<Row>({ name: 'find-record', text: STATEMENT, values: [secretCode, trackingNo] })
  const row = rows[0]
  if (!row || !isOf(secretToken, row.token_mac)) return { refusal: 401 }
  if (row.status !== 'ACTIVE' || !row.scopes.includes('PROFILE_INQUIRE')) return { refusal: 403 }
  if (row.id === null) return { refusal: 404 }
  if (row.state === 'ACCEPTED' && !row.profile) return { refusal: 410 }
  return { status: 200, message: 'OK', data: toData(row) }
}

function isOf(secretToken: string, mac: string): boolean {
  const presented = createHmac('sha256', PEER_MAC_KEY).update(secretToken).digest('base64url')
  return presented.length === mac.length && timingSafeEqual(Buffer.from(presented), Buffer.from(mac))
}

function toData({ id, pcn, tracking_no, state, qr_value, accepted_at, profile }: Row): RecordAnswer['data'] {
  const common = { id: Number(id), pcn, scope: 'PROFILE_INQUIRE', tracking_no, callback_url: null, payload: { qr_value } } as const
  if (state === 'ACCEPTED') return { ...common, is_accepted: 1, accepted_at: accepted_at!, response: profile! }
  return { ...common, is_accepted: 0, accepted_at, response: null }
}
