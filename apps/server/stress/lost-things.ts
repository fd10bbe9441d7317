// A thousand things that must not come undone, in a live service, and as many rows that nothing happens to.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { locate } from '../test/kit/api-client.ts'
import { profile } from '../test/kit/canary-citizen.ts'
import { mapConcurrently } from './backup.ts'

/** Of each partner in `secrets`, one secret is revoked and one is replaced. */
const PARTNERS = { secrets: 150, suspended: 100, resumed: 20, untouched: 20 }
const CITIZENS = { withdrawn: 200, erased: 200, frozen: 100, blocked: 100, untouched: 50 }
const RETRY_MS = 200
type Group<Counts> = { [Name in keyof Counts]: string[] }

type Caller = { url: string; token: string; tokenOf: (uniqid: string) => Promise<string> }
type Options = {
  path?: Record<string, string>
  headers?: Record<string, string>
  json?: unknown
  text?: string
}

const names = <Counts extends Record<string, number>>(counts: Counts) =>
  Object.fromEntries(
    Object.entries(counts).map(([name, count]) => [
      name,
      Array.from({ length: count }, (_, index) => `${name.toUpperCase()}_${index}`),
    ]),
  ) as Group<Counts>

export async function createThings({ url, operatorUrl, token, tokenOf }: Caller & { operatorUrl: string }) {
  const [partners, citizens] = [names(PARTNERS), names(CITIZENS)]
  const trackingNos = new Map<string, string>()

  async function send(id: Parameters<typeof locate>[0], options: Options): Promise<unknown> {
    const { path, headers, json, text } = options
    const to = locate(id)
    const filled = to.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => path![name]!)
    const response = await fetch(`${filled.startsWith('/operator') ? operatorUrl : url}${filled}`, {
      method: to.method,
      headers: {
        ...(json !== undefined && { 'Content-Type': 'application/json' }),
        ...(text !== undefined && { 'Content-Type': 'application/x-ndjson' }),
        ...(filled.startsWith('/operator') && { Authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      ...(text !== undefined && { body: text }),
    })
    // On a busy machine a statement may give up.
    if (response.status === 503) {
      await sleep(RETRY_MS)
      return send(id, options)
    }
    if (!response.ok) throw new Error(`${id}: ${response.status} ${await response.text()}`)
    return response.json()
  }
  const asCitizen = async (uniqid: string) => ({ Authorization: `Bearer ${await tokenOf(uniqid)}` })
  const pathOf = (partner_code: string) => ({ path: { partner_code } })

  async function createPartner(partner_code: string) {
    const json = { partner_code, name: partner_code, purpose: 'To test.', scopes: ['PROFILE_INQUIRE'] }
    const { credentials } = (await send('createPartner', { json })) as { credentials: Record<string, string> }
    return { 'X-Secret-Code': credentials['secret_code']!, 'X-Secret-Token': credentials['secret_token']! }
  }

  async function create(): Promise<void> {
    const asPartner = await createPartner('HOTEL')
    await mapConcurrently(Object.values(partners).flat(), createPartner)
    const [first] = [partners.resumed.slice(0, PARTNERS.resumed / 2)]
    await mapConcurrently(first, (code) => send('suspendPartner', pathOf(code)))
    const lines = Object.values(citizens)
      .flat()
      .map((uniqid) => JSON.stringify({ profile: { ...profile, uniqid }, passport: null }))
    await send('importCitizens', { text: lines.join('\n') })
    await mapConcurrently([...citizens.withdrawn, ...citizens.untouched], async (uniqid) => {
      const headers = await asCitizen(uniqid)
      const { qr_value } = (await send('issueQrCode', { headers, json: { purpose: 'inquire' } })) as {
        qr_value: string
      }
      const { data } = (await send('requestAuthorization', { headers: asPartner, json: { qr_value } })) as {
        data: { tracking_no: string }
      }
      await send('acceptAuthorization', { headers, path: { tracking_no: data.tracking_no } })
      trackingNos.set(uniqid, data.tracking_no)
    })
  }

  /** The thousand changes, and partners that end as active. */
  async function change(): Promise<void> {
    await mapConcurrently(partners.secrets, async (code) => {
      const { credentials } = (await send('listCredentials', pathOf(code))) as {
        credentials: { id: string; kind: string }[]
      }
      const { id } = credentials.find(({ kind }) => kind === 'secret_token')!
      await send('revokeCredential', { path: { partner_code: code, credential_id: id } })
      await send('rotateCredential', { ...pathOf(code), json: { kind: 'partner_secret', grace_days: 0 } })
    })
    await mapConcurrently([...partners.suspended, ...partners.resumed], (code) =>
      send('suspendPartner', pathOf(code)),
    )
    await mapConcurrently(partners.resumed, (code) => send('resumePartner', pathOf(code)))
    await mapConcurrently(citizens.withdrawn, async (uniqid) =>
      send('revokeAuthorization', {
        headers: await asCitizen(uniqid),
        path: { tracking_no: trackingNos.get(uniqid)! },
      }),
    )
    await mapConcurrently(citizens.erased, (uniqid) => send('eraseCitizen', { path: { uniqid } }))
    const forbid = async (uniqid: string, frozen: boolean, blocked_partners: string[]) =>
      send('replacePreferences', { headers: await asCitizen(uniqid), json: { frozen, blocked_partners } })
    await mapConcurrently(citizens.frozen, (uniqid) => forbid(uniqid, true, []))
    await mapConcurrently(citizens.blocked, (uniqid) => forbid(uniqid, false, ['HOTEL']))
  }
  return { create, change }
}

type Row = { what: string; key: string }

const query = async (url: string, text: string) => {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

/** What must not come undone, as the database has it: `revoked crd_...` and so on. */
export const readForbidden = async (url: string): Promise<string[]> =>
  (
    await query(
      url,
      `select 'revoked' as what, credential_id as key from credential where revoked_at is not null
       union all select 'replaced', credential_id from credential
         where revoked_at is null and expires_at <= clock_now()
       union all select 'suspended', partner_code from partner
         where status = 'SUSPENDED' and partner_code like 'SUSPENDED%'
       union all select 'withdrawn', tracking_no from authorization_record
         where state = 'REVOKED' and snapshot is null
       union all select 'erased', subject::text from citizen where data_key is null and profile is null
       union all select 'frozen', subject::text from citizen where frozen and data_key is not null
       union all select 'blocked', subject::text from citizen where blocked_partner_ids <> '{}'`,
    )
  )
    .map(({ what, key }) => `${what} ${key}`)
    .toSorted()

/** The statuses of the partners that were resumed. */
export const readResumed = async (url: string): Promise<string[]> =>
  (
    await query(
      url,
      `select distinct '' as what, status as key from partner where partner_code like 'RESUMED%'`,
    )
  ).map(({ key }) => key)

/**
 * Every row of the tables that hold state, as text, without the resumed partners. The audit and the events to
 * partners get new rows, so those tables are left out.
 */
export const readRows = (url: string): Promise<Row[]> =>
  query(
    url,
    `select partner_code as key, p::text as what from partner p where partner_code not like 'RESUMED%'
     union all select credential_id, c::text from credential c
     union all select subject::text, c::text from citizen c
     union all select tracking_no, r::text from authorization_record r
     union all select hmac, q::text from qr_code q
     union all select hmac, e::text from exchange_code e
     union all select hmac, t::text from access_token t
     union all select salt, w::text from webhook_secret w
     union all select request_id, d::text from dispute d
     union all select '', c::text from clock c`,
  )

/** The rows that differ, without those of the things. */
export function findChanged(
  before: readonly Row[],
  after: readonly Row[],
  things: readonly string[],
): string[] {
  const keys = new Set(things.map((text) => text.split(' ')[1]))
  // A QR code has its own key, so that the record of a thing is left out and its QR code is not.
  const rest = (rows: readonly Row[]) => rows.flatMap(({ key, what }) => (keys.has(key) ? [] : [what]))
  const [older, newer] = [new Set(rest(before)), new Set(rest(after))]
  return [...older].filter((row) => !newer.has(row)).concat([...newer].filter((row) => !older.has(row)))
}
