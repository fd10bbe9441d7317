import { setTimeout as sleep } from 'node:timers/promises'
import type { Schemas } from '@tiwala/contract'
// A thousand things that must not come undone, in a live service, and as many rows that nothing happens to.
import { mapConcurrently } from '@tiwala/kit/map-concurrently'
import { basePathOf } from '@tiwala/kit/operations'
import { citizenApp, createPartner, type OperatorApi, operatorApi, partnerApi } from '@tiwala/kit/users'
import { TiwalaError } from '@tiwala/transport'
import pg from 'pg'
import { profile } from '../test/kit/canary-citizen.ts'

/** Of each partner in `secrets`, one secret is revoked and one is replaced. */
const PARTNERS = { secrets: 150, suspended: 100, resumed: 20, untouched: 20 }
const CITIZENS = { withdrawn: 200, erased: 200, frozen: 100, blocked: 100, untouched: 50 }
const RETRY_MS = 200
type Group<Counts> = { [Name in keyof Counts]: string[] }

type Caller = { url: string; token: string; tokenOf: (uniqid: string) => Promise<string> }
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

  const operator = operatorApi(operatorUrl + basePathOf('operator'), token)
  const callOperator: OperatorApi = (id, input) => untilAvailable(() => operator(id, input))
  const appOf = async (uniqid: string) => citizenApp(url + basePathOf('citizen-app'), await tokenOf(uniqid))
  const register = (partner_code: string) =>
    createPartner(callOperator, { partner_code, scopes: ['PROFILE_INQUIRE'] })
  const suspend = (partner_code: string) => callOperator('suspendPartner', { path: { partner_code } })

  async function create(): Promise<void> {
    const { headers } = await register('HOTEL')
    const hotel = partnerApi(url, headers)
    await mapConcurrently(Object.values(partners).flat(), register)
    await mapConcurrently(partners.resumed.slice(0, PARTNERS.resumed / 2), suspend)
    const lines = Object.values(citizens)
      .flat()
      .map((uniqid) => JSON.stringify({ profile: { ...profile, uniqid }, passport: null }))
    await callOperator('importCitizens', { body: lines.join('\n') })
    await mapConcurrently([...citizens.withdrawn, ...citizens.untouched], async (uniqid) => {
      const { showQr, accept } = await appOf(uniqid)
      const qr_value = await untilAvailable(() => showQr())
      const requested = await untilAvailable(() => hotel('requestAuthorization', { body: { qr_value } }))
      const { tracking_no } = requested.body.data
      await untilAvailable(() => accept(tracking_no))
      trackingNos.set(uniqid, tracking_no)
    })
  }

  /** The thousand changes, and partners that end as active. */
  async function change(): Promise<void> {
    await mapConcurrently(partners.secrets, async (partner_code) => {
      const path = { partner_code }
      const { credentials } = (await callOperator('listCredentials', { path })).body
      const { id } = credentials.find(({ kind }) => kind === 'secret_token')!
      await callOperator('revokeCredential', { path: { ...path, credential_id: id } })
      await callOperator('rotateCredential', { path, body: { kind: 'partner_secret', grace_days: 0 } })
    })
    await mapConcurrently([...partners.suspended, ...partners.resumed], suspend)
    await mapConcurrently(partners.resumed, (partner_code) =>
      callOperator('resumePartner', { path: { partner_code } }),
    )
    await mapConcurrently(citizens.withdrawn, async (uniqid) => {
      const { revoke } = await appOf(uniqid)
      await untilAvailable(() => revoke(trackingNos.get(uniqid)!))
    })
    await mapConcurrently(citizens.erased, (uniqid) => callOperator('eraseCitizen', { path: { uniqid } }))
    const forbid = async (uniqid: string, preferences: Partial<Schemas['Preferences']>) => {
      const { setPreferences } = await appOf(uniqid)
      await untilAvailable(() => setPreferences(preferences))
    }
    await mapConcurrently(citizens.frozen, (uniqid) => forbid(uniqid, { frozen: true }))
    await mapConcurrently(citizens.blocked, (uniqid) => forbid(uniqid, { blocked_partners: ['HOTEL'] }))
  }
  return { create, change }
}

/** Repeats a refused call: on a busy machine a statement may give up. */
async function untilAvailable<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof TiwalaError) || error.status !== 503) throw error
    await sleep(RETRY_MS)
    return untilAvailable(call)
  }
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
