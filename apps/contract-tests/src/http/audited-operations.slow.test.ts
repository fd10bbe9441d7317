// Every operation that changes something writes its audit row in the same statement.
import { type OperationId, routes } from '@tiwala/contract'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { documentedStatuses, parametersOf } from '../contract-check/documents.ts'
import { exportEvents } from '../kit/audit.ts'
import { bodyOf } from '../kit/body-forms.ts'
import { errorBody } from '../kit/error-body.ts'
import { startServiceForFile } from '../kit/test-service.ts'
import { type RequestParts, validRequest } from '../kit/valid-requests.ts'

const service = await startServiceForFile({})

/**
 * All operations except `get`, so that a new operation without an audit row fails here. A `get` may also
 * record; the disclosures have their own tests.
 */
const CHANGING = Object.values(routes)
  .flatMap((table): [string, { method: string }][] => Object.entries(table))
  .filter(([, { method }]) => method !== 'get')
  .map(([id]) => id as OperationId)
const actorOf = (id: OperationId) => {
  if (id in routes.operator) return 'sandbox-operator'
  return id in routes.workbench ? expect.stringMatching(/^mbr_\w{22}$/) : null
}

const ASKED_FOR: unknown = expect.stringMatching(/^apr_\w{22} settings asked by mbr_\w{22}$/)
/** The decision, and the change that it makes. */
const rowsOf = (id: OperationId) => (id === 'grantApproval' ? 2 : 1)

/** What the audit row of an operation says. An operation that is not here needs any row. */
const SAID: Partial<Record<OperationId, { kind: string; detail: unknown }>> = {
  requestAuthorization: { kind: 'authorization.requested', detail: null },
  cancelAuthorization: { kind: 'authorization.cancelled', detail: null },
  generateToken: { kind: 'code.redeemed', detail: null },
  authenticate: { kind: 'sso.authenticated', detail: null },
  issueQrCode: { kind: 'qr_code.issued', detail: 'inquire' },
  acceptAuthorization: { kind: 'authorization.accepted', detail: null },
  declineAuthorization: { kind: 'authorization.declined', detail: null },
  revokeAuthorization: { kind: 'authorization.revoked', detail: null },
  issueExchangeCode: { kind: 'code.issued', detail: 'state pkce' },
  openSignIn: { kind: 'sign_in.opened', detail: null },
  approveSignIn: { kind: 'sign_in.approved', detail: 'given_name email' },
  declineSignIn: { kind: 'sign_in.declined', detail: null },
  disputeDisclosure: { kind: 'disclosure.disputed', detail: null },
  replacePreferences: {
    kind: 'preferences.changed',
    detail: expect.stringMatching(/^[0-9a-f-]{36}: blocked PARTNER_\d+$/),
  },
  signOut: { kind: 'session.ended', detail: null },
  endOwnSession: { kind: 'session.ended', detail: expect.stringMatching(/^ses_\w{22}$/) },
  inviteMember: { kind: 'member.invited', detail: expect.stringMatching(/^mbr_\w{22} developer$/) },
  changeMember: { kind: 'member.changed', detail: expect.stringMatching(/^mbr_\w{22} developer$/) },
  removeMember: { kind: 'member.removed', detail: expect.stringMatching(/^mbr_\w{22}$/) },
  rotateOwnCredential: {
    kind: 'credential.rotated',
    detail: expect.stringMatching(/^secret_token crd_\w+ replaces crd_\w+ until \S+Z$/),
  },
  revokeOwnCredential: { kind: 'credential.revoked', detail: expect.stringMatching(/^crd_\w+$/) },
  changeSettings: {
    kind: 'approval.requested',
    detail: expect.stringMatching(/^apr_\w{22} settings callback_url$/),
  },
  withdrawApproval: { kind: 'approval.withdrawn', detail: ASKED_FOR },
  acknowledgeAnomaly: { kind: 'anomaly.acknowledged', detail: expect.stringMatching(/^ano_\w{22}$/) },
  grantApproval: { kind: 'approval.granted', detail: ASKED_FOR },
  returnApproval: { kind: 'approval.returned', detail: ASKED_FOR },
  withdrawOwnApproval: {
    kind: 'approval.withdrawn',
    detail: expect.stringMatching(/^apr_\w{22} suspension asked by sandbox-operator$/),
  },
  replayOwnDeliveries: { kind: 'delivery.replayed', detail: expect.stringMatching(/^evt_\w+$/) },
  replayOwnRange: { kind: 'deliveries.replayed', detail: '0' },
  testOwnCallback: { kind: 'callback.tested', detail: 'authorization.accepted' },
  enableEndpoint: { kind: 'callback.enabled', detail: null },
  rotateOwnWebhookSecret: { kind: 'webhook_secret.rotated', detail: null },
  invitePartnerMember: { kind: 'member.invited', detail: expect.stringMatching(/^mbr_\w{22} admin$/) },
  createPartner: { kind: 'partner.created', detail: null },
  changePartner: { kind: 'partner.changed', detail: 'ip_allow_list limits' },
  suspendPartner: { kind: 'partner.suspended', detail: null },
  resumePartner: { kind: 'partner.resumed', detail: null },
  decideGoingLiveReport: { kind: 'report.returned', detail: expect.stringMatching(/^req_\w{22}$/) },
  setCallback: { kind: 'partner.changed', detail: 'callback_url' },
  setSignInRegistration: { kind: 'partner.changed', detail: 'sign_in' },
  rotateCredential: {
    kind: 'credential.rotated',
    detail: expect.stringMatching(/^secret_token crd_\w+ replaces crd_\w+ until \S+Z$/),
  },
  revokeCredential: { kind: 'credential.revoked', detail: expect.stringMatching(/^crd_\w+$/) },
  rotateWebhookSecret: { kind: 'webhook_secret.rotated', detail: null },
  testCallback: { kind: 'callback.tested', detail: null },
  replayDelivery: { kind: 'delivery.replayed', detail: expect.stringMatching(/^\w+$/) },
  replayDeadLetters: { kind: 'dead_letters.replayed', detail: '0' },
  upsertCitizen: { kind: 'citizen.written', detail: null },
  importCitizens: { kind: 'citizen.written', detail: null },
  eraseCitizen: { kind: 'citizen.erased', detail: expect.stringMatching(/^[0-9a-f-]{36}$/) },
  replayChange: { kind: 'credential.revoked', detail: expect.stringMatching(/^crd_\w+$/) },
  rewrapKeys: { kind: 'keys.rewrapped', detail: '0' },
  completeRestore: { kind: 'restore.completed', detail: null },
}

/** A request that changes something, of a partner and a citizen of its own. */
async function changingRequest(id: OperationId) {
  const [partner, citizen] = [await service.partner(), await service.citizen()]
  const parts = await validRequest(id, { ...service, partner, citizen })
  // A token has no session to end.
  if (id === 'endOwnSession') parts.headers = await service.signInOperator([])
  if (id === 'resumePartner')
    await service.operator('suspendPartner', { path: { partner_code: partner.code } })
  if (id === 'enableEndpoint')
    await sql`
      insert into callback_endpoint (partner_id, disabled_at)
      select id, now() from partner where partner_code = ${partner.code}`.execute(service.db)
  return { partner, citizen, parts }
}

function send(id: OperationId, parts: RequestParts): Promise<Response> {
  const { body, headers: type } = bodyOf(parts)
  return service.send(id, {
    headers: { ...type, ...parts.headers },
    ...(parts.path && { path: parts.path }),
    ...(parts.query && { query: Object.fromEntries(new URLSearchParams(parts.query)) }),
    ...(body && { body }),
  })
}

const writtenBy = async (response: Response) =>
  (await exportEvents(service.operator)).filter(
    ({ request_id }) => request_id === response.headers.get('x-request-id'),
  )

describe.each(CHANGING)('%s', (id) => {
  const success = documentedStatuses(id).find((status) => status < 300)!

  test(`${success}: the audit names the actor, the change, and, of those affected, the partner`, async () => {
    const { partner, citizen, parts } = await changingRequest(id)
    const response = await send(id, parts)
    expect(response.status).toBe(success)
    const events = await writtenBy(response)
    expect(events.map(({ actor }) => actor)).toEqual(Array(rowsOf(id)).fill(actorOf(id)))
    expect(events).toContainEqual(expect.objectContaining(SAID[id] ?? {}))
    expect(events[0]!.partner_code).toBe(parts.path?.['partner_code'] ?? events[0]!.partner_code)
    for (const word of [
      citizen.uniqid,
      ...Object.values(partner.credentials).filter((value) => value !== partner.code),
    ])
      expect(JSON.stringify(events)).not.toContain(word)
  })
})

const REASON = 'Ticket 4711: asked for by the partner'
const withReason = CHANGING.filter((id) => parametersOf(id).some(({ value }) => value['name'] === 'reason'))

test('every operation that takes or gives access takes a reason', () => {
  expect(withReason).toEqual([
    'createPartner',
    'changePartner',
    'suspendPartner',
    'resumePartner',
    'decideGoingLiveReport',
    'setSignInRegistration',
    'setCallback',
    'rotateWebhookSecret',
    'rotateCredential',
    'revokeCredential',
    'invitePartnerMember',
    'acknowledgeAnomaly',
    'grantApproval',
    'eraseCitizen',
    'rotateOwnCredential',
    'revokeOwnCredential',
    'changeSettings',
    'rotateOwnWebhookSecret',
  ])
})

test.each(withReason)('200: %s keeps the reason in the audit, and null without one', async (id) => {
  for (const reason of [REASON, null]) {
    const { parts } = await changingRequest(id)
    const query = reason === null ? {} : { query: String(new URLSearchParams({ reason })) }
    const response = await send(id, { ...parts, ...query })
    expect((await writtenBy(response)).map((event) => event.reason)).toEqual(Array(rowsOf(id)).fill(reason))
  }
})

test.each(['', 'a\u0000b', 'a\u202Eb', ' a', 'a'.repeat(501)])('422: the reason %j', async (reason) => {
  const actors = { ...service, partner: await service.partner(), citizen: await service.citizen() }
  const parts = await validRequest('suspendPartner', actors)
  const response = await send('suspendPartner', { ...parts, query: String(new URLSearchParams({ reason })) })
  expect([response.status, await writtenBy(response)]).toEqual([422, []])
})

describe.each(CHANGING.filter((id) => id in routes.operator && documentedStatuses(id).includes(404)))(
  '%s',
  (id) => {
    test('404: a refused change has no audit row', async () => {
      const { parts } = await changingRequest(id)
      const path = Object.fromEntries(Object.keys(parts.path ?? {}).map((name) => [name, 'UNKNOWN']))
      const response = await send(id, { ...parts, path })
      expect([response.status, await writtenBy(response)]).toEqual([404, []])
    })
  },
)

test('200: a change of the preferences is recorded as the difference, a refused one is not', async () => {
  const citizen = await service.citizen()
  // The audit sorts the codes as texts: `PARTNER_10` comes before `PARTNER_9`.
  const codes = [(await service.partner()).code, (await service.partner()).code]
  const [a, b] = codes.toSorted() as [string, string]
  const change = async (frozen: boolean, blocked_partners: string[]) => {
    const response = await send('replacePreferences', {
      headers: { Authorization: `Bearer ${citizen.token}` },
      fields: { frozen, blocked_partners },
    })
    return (await writtenBy(response)).map(({ kind, detail, partner_code }) => ({
      kind,
      detail,
      partner_code,
    }))
  }
  const recorded = (detail: unknown) => [{ kind: 'preferences.changed', detail, partner_code: null }]
  // Names the citizen by a random id.
  const [first] = await change(true, [])
  const [, subject] = /^([0-9a-f-]{36}): frozen$/.exec(first!.detail!)!
  expect(await change(true, [a, b])).toEqual(recorded(`${subject}: blocked ${a} ${b}`))
  expect(await change(false, [b])).toEqual(recorded(`${subject}: unfrozen, unblocked ${a}`))
  expect(await change(true, [a])).toEqual(recorded(`${subject}: frozen, blocked ${a}, unblocked ${b}`))
  expect(await change(true, [a])).toEqual([])
  expect(await change(false, ['UNKNOWN'])).toEqual([])
})

/** An operation that a repetition changes nothing with: each request after the first has no audit row. */
const REPEATABLE = CHANGING.filter((id) =>
  (
    [
      'acceptAuthorization',
      'declineAuthorization',
      'revokeAuthorization',
      'openSignIn',
      'approveSignIn',
      'declineSignIn',
      'disputeDisclosure',
      'replacePreferences',
      'cancelAuthorization',
      'changePartner',
      'setCallback',
      'setSignInRegistration',
      'suspendPartner',
      'resumePartner',
      'decideGoingLiveReport',
      'revokeCredential',
      'revokeOwnCredential',
      'upsertCitizen',
      'importCitizens',
    ] satisfies OperationId[] as OperationId[]
  ).includes(id),
)

test.each(REPEATABLE)('200: %s sent again changes nothing, and has no audit row', async (id) => {
  const { parts } = await changingRequest(id)
  expect((await send(id, parts)).status).toBe(200)
  const before = await contents()
  const repeated = await send(id, parts)
  expect(repeated.status).toBe(200)
  expect(await writtenBy(repeated)).toEqual([])
  expect(await contents()).toBe(before)
})

/**
 * Every row that these operations change, except what other requests and the
 * background workers change at the same time.
 */
async function contents(): Promise<string> {
  const tables = [
    'citizen',
    'partner',
    'qr_code',
    'exchange_code',
    'access_token',
    'authorization_record',
    'dispute',
    'sign_in_request',
    'partner_sign_in',
    'sign_in_purpose',
    'approval',
    'installation',
  ]
  const counted = ['credential', 'webhook_secret', 'callback_event']
  const rows = await Promise.all(
    tables.map((table) =>
      sql<{ row: string }>`select t::text as row from ${sql.table(table)} t order by 1`.execute(service.db),
    ),
  )
  return JSON.stringify([
    rows.map((table) => table.rows),
    await service.countRows(...counted, 'credential where revoked_at is null'),
  ])
}

test('500: no operation changes anything when its audit row cannot be written', async () => {
  const calls = new Map<OperationId, RequestParts>()
  for (const id of CHANGING) calls.set(id, (await changingRequest(id)).parts)
  const before = await contents()
  await sql`alter table audit_event add constraint refuse check (false) not valid`.execute(service.db)
  for (const [id, parts] of calls)
    expect([id, (await errorBody(await send(id, parts))).status]).toEqual([id, 500])
  await sql`alter table audit_event drop constraint refuse`.execute(service.db)
  expect(await contents()).toBe(before)
})
