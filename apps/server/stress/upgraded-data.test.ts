// The data of a database from before the time in identifiers (`0019_time_order`) work after all later migrations. By default the database
// is made by the commit before that migration; `UPGRADE_FROM` chooses another one.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { onServer } from '../src/testing/database.ts'
import { type ApiClient, createApiClient, refusalOf } from '../test/kit/api-client.ts'
import { startReadyProcess } from '../test/kit/server-process.ts'
import { temporaryDatabase } from '../test/kit/temporary-resources.ts'
import { startWebhookReceiver } from '../test/kit/webhook-receiver.ts'
import { checkOut, commitBefore } from './release-tree.ts'
import { UNBOUNDED } from './servers.ts'

/** The installation may download dependencies. */
const INSTALLATION_MS = 600_000
/** Tables that `makeData` leaves empty. */
const EMPTY = new Set([
  'audit_archive',
  'idempotent_response',
  'member',
  'member_session',
  'oidc_state',
  'partner_sign_in',
  'partner_usage',
  'sandbox',
  'sandbox_citizen',
  'sandbox_event',
  'sandbox_request',
  'sign_in_purpose',
  'sign_in_request',
])
/** Housekeeping adds up the rows of this one. */
const ADDED_UP = 'citizen_key_count'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tiwala-upgraded-data-'))
  const commit = process.env['UPGRADE_FROM'] ?? commitBefore('0019_time_order')
  console.log(`The data are of ${commit}.`)
  await checkOut(commit, join(folder, 'previous'))
}, INSTALLATION_MS)
afterAll(() => rm(folder, { recursive: true, force: true }))

const read = (url: string, text: string) =>
  onServer(url, async (admin) => (await admin.query<Record<string, unknown>>(text)).rows)

/** The rows of each table. */
async function countRows(url: string): Promise<Record<string, number>> {
  const tables = await read(
    url,
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
        and not relispartition`,
  )
  const counts = tables.map(async ({ name }) => {
    const [row] = await read(url, `select count(*)::int as rows from ${String(name)}`)
    return [String(name), Number(row!['rows'])] as const
  })
  return Object.fromEntries(await Promise.all(counts))
}

const stateOf = async (api: ApiClient, trackingNo: string) => {
  const response = await api.inquire(trackingNo)
  return `${response.status} ${response.headers.get('x-authorization-state')}`
}
const statusOf = async (response: Promise<Response>) => (await response).status
const ok = async (response: Promise<Response>) => expect((await response).status).toBe(200)
const trackingNoOf = async (response: Promise<Response>) =>
  ((await (await response).json()) as { data: { tracking_no: string } }).data.tracking_no

async function disclosuresOf({ send, asCitizen }: ApiClient): Promise<string[]> {
  const response = await send('listDisclosures', { headers: asCitizen, query: { limit: '100' } })
  return ((await response.json()) as { disclosures: { id: string }[] }).disclosures.map(({ id }) => id)
}

/** Something of each kind, in each of its states. */
async function makeData(api: ApiClient, url: string) {
  const { send, asCitizen, asPartner, createPendingRecord, issueQrValue } = api
  const answer = (id: 'declineAuthorization' | 'revokeAuthorization', tracking_no: string) =>
    ok(send(id, { headers: asCitizen, path: { tracking_no } }))
  const acceptedRecord = async () => {
    const trackingNo = await createPendingRecord()
    await ok(api.accept(trackingNo))
    return trackingNo
  }
  const usedQr = await issueQrValue('inquire')
  const records = {
    toAccept: await trackingNoOf(api.request(usedQr)),
    toDecline: await createPendingRecord(),
    toCancel: await createPendingRecord(),
    accepted: await acceptedRecord(),
    toRevoke: await acceptedRecord(),
    declined: await createPendingRecord(),
    cancelled: await createPendingRecord(),
    expired: await createPendingRecord(),
    revoked: await acceptedRecord(),
  }
  await answer('declineAuthorization', records.declined)
  await answer('revokeAuthorization', records.revoked)
  await ok(send('cancelAuthorization', { headers: asPartner, path: { tracking_no: records.cancelled } }))
  await read(
    url,
    `update authorization_record set expires_at = clock_now() where tracking_no = '${records.expired}'`,
  )
  await ok(api.inquire(records.accepted))
  await ok(api.viewByQr(await issueQrValue('share')))
  const [usedCode, usedToken] = [await api.issueExchangeCode(), await api.issueAccessToken()]
  await ok(api.redeemExchangeCode(usedCode))
  await ok(api.signIn(usedToken))
  // A refusal, which its partner can ask about.
  expect(await statusOf(api.redeemExchangeCode(usedCode))).toBe(422)
  const [disclosure_id] = (await disclosuresOf(api)) as [string]
  await ok(send('disputeDisclosure', { headers: asCitizen, path: { disclosure_id } }))
  return {
    records,
    usedQr,
    usedCode,
    usedToken,
    qr: { inquire: await issueQrValue('inquire'), share: await issueQrValue('share') },
    code: await api.issueExchangeCode(),
    token: await api.issueAccessToken(),
    disclosures: await disclosuresOf(api),
    states: await Promise.all(Object.values(records).map((trackingNo) => stateOf(api, trackingNo))),
  }
}

test('records, codes, tokens, events and the audit from before work after the upgrade', async () => {
  let isUp = false
  await using receiver = await startWebhookReceiver((res) => void res.writeHead(isUp ? 204 : 503).end())
  await using database = await temporaryDatabase('template0')
  const settings = { ...UNBOUNDED, ...database.settings, TIWALA_PUBLIC_URL: receiver.url }
  const { url } = database
  await using previous = await startReadyProcess(settings, [], join(folder, 'previous/apps/server/main.js'))
  const made = await makeData(await createApiClient(previous.url), url)
  const { records, disclosures } = made
  await expect
    .poll(() => read(url, 'select count(*)::int as leaves from audit_leaf'))
    .not.toEqual([{ leaves: 0 }])
  expect(await previous.end('SIGTERM')).toBe(0)
  const before = await countRows(url)
  const empty = Object.keys(before).filter((table) => before[table] === 0)
  expect(empty.filter((table) => !EMPTY.has(table))).toEqual([])

  await using next = await startReadyProcess(settings)
  const api = await createApiClient(next.url)
  const { send, asCitizen, asPartner } = api
  const after = await countRows(url)
  const fewer = Object.keys(before).filter(
    (table) => after[table] === undefined || after[table] < before[table]!,
  )
  expect(fewer.filter((table) => table !== ADDED_UP)).toEqual([])

  // Each record is in the state that it had, and goes on from there.
  expect(await Promise.all(Object.values(records).map((no) => stateOf(api, no)))).toEqual(made.states)
  expect(await trackingNoOf(api.request(made.usedQr))).toBe(records.toAccept)
  await ok(api.accept(records.toAccept))
  for (const [id, tracking_no] of [
    ['declineAuthorization', records.toDecline],
    ['revokeAuthorization', records.toRevoke],
  ] as const)
    await ok(send(id, { headers: asCitizen, path: { tracking_no } }))
  await ok(send('cancelAuthorization', { headers: asPartner, path: { tracking_no: records.toCancel } }))
  expect(await Promise.all(Object.values(records).map((no) => stateOf(api, no)))).toEqual([
    '200 ACCEPTED',
    '200 DECLINED',
    '200 CANCELLED',
    '200 ACCEPTED',
    '200 REVOKED',
    ...made.states.slice(5),
  ])

  // Each unused value works once, and each used one does not.
  await ok(api.request(made.qr.inquire))
  await ok(api.viewByQr(made.qr.share))
  await ok(api.redeemExchangeCode(made.code))
  expect(await refusalOf(api.redeemExchangeCode(made.usedCode))).toBe('422 exchange_code_invalid')
  await ok(api.signIn(made.token))
  expect(await refusalOf(api.signIn(made.usedToken))).toBe('401 token_used')
  await ok(api.signIn(await api.issueAccessToken()))

  // The history has the earlier disclosures before the later ones, and the audit proves them.
  const history = await disclosuresOf(api)
  expect(history.slice(-disclosures.length)).toEqual(disclosures)
  expect(history.length).toBeGreaterThan(disclosures.length)
  await expect
    .poll(async () => (await api.operator('verifyAudit', { query: { limit: 1000 } })).body)
    .toMatchObject({ unsealed_rows: 0, first_fault: null, next_checkpoint: null })
  for (const disclosure_id of disclosures)
    await ok(send('readDisclosureProof', { headers: asCitizen, path: { disclosure_id } }))

  // The events of both versions arrive.
  isUp = true
  await read(url, 'update callback_event set next_attempt_at = clock_now() where status <> $$DELIVERED$$')
  await expect
    .poll(() => read(url, `select count(*)::int as pending from callback_event where status <> 'DELIVERED'`))
    .toEqual([{ pending: 0 }])
  const events = await read(url, 'select webhook_id from callback_event')
  expect(events.filter(({ webhook_id }) => !receiver.arrivalsOfEvent.has(String(webhook_id)))).toEqual([])
  expect(events.length).toBeGreaterThan(before['callback_event']!)
})
