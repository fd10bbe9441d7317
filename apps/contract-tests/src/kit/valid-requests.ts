// A valid request for every operation: the example of its document, with the credentials that its security
// asks for and with new values in the fields that name something.
import { setTimeout as sleep } from 'node:timers/promises'
import type { TiwalaError } from '@tiwala/client'
import type { OperationId, Success } from '@tiwala/contract'
import { OPERATION_IDS } from '@tiwala/kit/operations'
import { sql } from 'kysely'
import {
  exampleOf,
  parametersOf,
  type Part,
  partOf,
  requestBodiesOf,
  responseOf,
  schemesOf,
} from '../contract-check/documents.ts'
import { arrive, authorizationUrl, register } from './relying-party.ts'
import type { TestService } from './test-service.ts'
import type { Citizen, Partner } from './users.ts'

/** The parts of a request. Its body is `fields`, or `text` if it is NDJSON. */
export type RequestParts = {
  headers: Record<string, string>
  query?: string
  path?: Record<string, string>
  fields?: Record<string, unknown>
  text?: string
}
/** The senders and subjects of a request. */
export type Actors = Pick<
  TestService,
  'url' | 'send' | 'operator' | 'operatorToken' | 'signIn' | 'askToSuspend' | 'db'
> & { partner: Partner; citizen: Citizen }

let count = 0

/** A busy server writes within this time what a request needs. */
const MAX_MS = 60_000

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })

export const secretsOf = ({ credentials: { partner_code, partner_secret } }: Partner) => ({
  partner_code,
  partner_secret,
})

/** The headers of each security scheme. */
const CREDENTIALS: Record<string, (actors: Actors) => Promise<Record<string, string>>> = {
  secretCode: async ({ partner }) => ({ 'X-Secret-Code': partner.headers['X-Secret-Code'] }),
  secretToken: async ({ partner }) => ({ 'X-Secret-Token': partner.headers['X-Secret-Token'] }),
  accessToken: async ({ partner, citizen }) =>
    bearer(await partner.sso.generateToken(await citizen.exchangeCode(partner.code))),
  citizenToken: async ({ citizen }) => bearer(citizen.token),
  operatorToken: async ({ operatorToken }) => bearer(operatorToken),
  memberSession: async ({ signIn, partner }) => (await signIn(partner.code)).headers,
}

/**
 * A new value for each type of field: the name of its shared parameter, its name in one schema, or its name
 * alone. All other fields keep the value of the example.
 */
const NEW_VALUES: Record<string, (actors: Actors) => Promise<unknown>> = {
  qr_value: async ({ citizen }) => citizen.showQr('share'),
  exchange_code: async ({ partner, citizen }) => citizen.exchangeCode(partner.code),
  partner_secret: async ({ partner }) => partner.credentials.partner_secret,
  tracking_no: pendingRecord,
  AcceptedTrackingNo: async (actors) => {
    const trackingNo = await pendingRecord(actors)
    await actors.citizen.accept(trackingNo)
    return trackingNo
  },
  member_id: async ({ signIn, partner }) => (await signIn(partner.code, 'viewer')).memberId,
  approval_id: async ({ send, signIn, partner }) => {
    const { headers } = await signIn(partner.code)
    const json = { callback_url: `https://new-${++count}.example/` }
    const response = await send('changeSettings', { headers, json })
    return ((await response.json()) as Success<'changeSettings'>).approvals[0]!.approval_id
  },
  anomaly_id: async ({ db, partner }) => {
    const { rows } = await sql<{ anomaly_id: string }>`
      insert into anomaly (anomaly_id, partner_id, kind, ended_at, expected, threshold, observed, address_ranges)
      select 'ano_' || substr(md5(random()::text), 1, 22), id, 'rate', clock_now(), 1, 300, 400, '{}' from partner
       where partner_code = ${partner.code} returning anomaly_id`.execute(db)
    return rows[0]!.anomaly_id
  },
  OwnApprovalId: async ({ askToSuspend, partner }) => askToSuspend(partner.code),
  report: async ({ send, signIn, partner }) => {
    const { headers } = await signIn(partner.code)
    const response = await send('writeGoingLiveReport', {
      headers,
      json: { live_partner_code: partner.code },
    })
    return ((await response.json()) as Success<'writeGoingLiveReport'>).receipt
  },
  email: async () => `new-${++count}@staff.example`,
  request_id: async ({ partner }) => {
    const refused: unknown = await partner.profiles.inquire('unknown').catch((error: unknown) => error)
    const requestId = (refused as TiwalaError).requestId!
    await untilFound(() => partner.profiles.diagnose(requestId))
    return requestId
  },
  disclosure_id: async ({ partner, citizen }) => {
    const { requestId } = await partner.profiles.profileByQr(await citizen.showQr('share'))
    await untilFound(() => citizen.app('readDisclosureProof', { path: { disclosure_id: requestId } }))
    return requestId
  },
  /** That of the link on the same device: a QR code lives only some seconds. */
  code: async (actors) => (await arriveAt(actors)).link(),
  sign_in_id: async (actors) => {
    const code = (await arriveAt(actors)).link()
    return (await actors.citizen.app('openSignIn', { body: { code } })).body.sign_in_id
  },
  uniqid: async ({ citizen }) => citizen.uniqid,
  ErasedUniqid: async ({ operator, citizen }) => {
    await operator('eraseCitizen', { path: { uniqid: citizen.uniqid } })
    return citizen.uniqid
  },
  partner_code: async ({ partner }) => partner.code,
  blocked_partners: async ({ partner }) => [partner.code],
  /** The partner of an operator's request. */
  PartnerCodeInPath: withCallback,
  'PartnerRegistration.partner_code': async () => `VALID_${Math.floor(Math.random() * 1e9)}`,
  credential_id: credentialId,
  webhook_id: webhookId,
  webhook_ids: async (actors) => [await webhookId(actors)],
  checkpoint: async ({ operator }) => {
    await untilFound(() => operator('readCheckpoint', { path: { checkpoint: 1 } }))
    return 1
  },
  'LostChange.detail': credentialId,
  'LostChange.occurred_at': async () => new Date().toISOString(),
}

/** A browser that wants to sign in, at the page of its request. */
async function arriveAt({ url, operator, partner }: Actors) {
  await register(operator, partner.code)
  return arrive(url, authorizationUrl(url, partner.code))
}

async function pendingRecord({ partner, citizen }: Actors): Promise<string> {
  const { record } = await partner.profiles.requestAuthorization(await citizen.showQr())
  return record.tracking_no
}

/** The callback URL refuses connections, so that the partner's events stay pending. */
async function withCallback({ operator, partner }: Actors): Promise<string> {
  const path = { partner_code: partner.code }
  await operator('setCallback', { path, body: { callback_url: 'http://localhost:9/callback' } })
  return partner.code
}

async function webhookId(actors: Actors): Promise<string> {
  const path = { partner_code: await withCallback(actors) }
  return (await actors.operator('testCallback', { path })).body.webhook_id
}

async function credentialId({ operator, partner }: Actors): Promise<string> {
  const { body } = await operator('listCredentials', { path: { partner_code: partner.code } })
  return body.credentials[0]!.id
}

/** A diagnosis is stored a moment after its response (404), a row of the audit sealed a second later (503). */
async function untilFound(read: () => Promise<unknown>): Promise<void> {
  const untilMs = performance.now() + MAX_MS
  for (;;)
    try {
      return void (await read())
    } catch (error) {
      if (![404, 503].includes((error as TiwalaError).status) || performance.now() > untilMs) throw error
      await sleep(100)
    }
}

const COMPONENT = /^#\/components\/\w+\/(\w+)$/
const componentOf = (part: Part | undefined) => part && COMPONENT.exec(part.pointer)?.[1]

/** The example with new values. `owner`: the name of the schema that it is an example of. */
async function renew(example: unknown, actors: Actors, owner?: string): Promise<unknown> {
  if (typeof example !== 'object' || example === null || Array.isArray(example)) return example
  const fields = Object.entries(example as Record<string, unknown>).map(async ([name, value]) => {
    const create = NEW_VALUES[`${owner}.${name}`] ?? NEW_VALUES[name]
    return [name, create ? await create(actors) : await renew(value, actors)] as const
  })
  return Object.fromEntries(await Promise.all(fields))
}

/** The required parameters of a place: an optional one would change what the request does. */
async function parametersIn(place: string, id: OperationId, actors: Actors): Promise<Record<string, string>> {
  const parameters = parametersOf(id).filter(({ value }) => value['in'] === place && value['required'])
  const values = parameters.map(async (parameter) => {
    const { name, example } = parameter.value as { name: string; example: unknown }
    const create = NEW_VALUES[componentOf(parameter) ?? ''] ?? NEW_VALUES[name]
    return [name, String(create ? await create(actors) : example)] as const
  })
  return Object.fromEntries(await Promise.all(values))
}

/** Of NDJSON one line: an audit event of each line would name the same citizen. */
async function bodyOf(id: OperationId, actors: Actors): Promise<Pick<RequestParts, 'fields' | 'text'>> {
  const { 'application/json': json, 'application/x-ndjson': lines } = requestBodiesOf(id)
  if (lines) {
    const [line] = (exampleOf(lines) as string).split('\n')
    return { text: JSON.stringify(await renew(JSON.parse(line!), actors)) }
  }
  if (!json) return {}
  const fields = await renew(exampleOf(json), actors, componentOf(partOf(json, 'schema')))
  return { fields: fields as Record<string, unknown> }
}

/** The values of the example: its parameters and the fields of its body, by name. */
export function exampleRequest(id: OperationId): Record<string, unknown> {
  const { 'application/json': json } = requestBodiesOf(id)
  const parameters = parametersOf(id).map(({ value }) => [value['name'], value['example']])
  return { ...Object.fromEntries(parameters), ...(json && (exampleOf(json) as object)) }
}

/** They need a callback URL, or show events. */
const WITH_EVENT = new Set<OperationId>(['listOwnDeliveries', 'readEndpoint', 'testOwnCallback'])

/** A valid request of an operation. Tests change one part of it and expect a refusal. */
export async function validRequest(id: OperationId, actors: Actors): Promise<RequestParts> {
  if (id === 'readSignInRegistration') await register(actors.operator, actors.partner.code)
  if (WITH_EVENT.has(id)) await webhookId(actors)
  const credentials = await Promise.all(schemesOf(id).map((scheme) => CREDENTIALS[scheme]!(actors)))
  const isStream = responseOf(id, 200) && partOf(responseOf(id, 200)!, 'content', 'text/event-stream')
  const path = await parametersIn('path', id, actors)
  const query = new URLSearchParams(await parametersIn('query', id, actors)).toString()
  // The log of requests is written a moment after the diagnosis.
  if (id === 'readRequest' || id === 'readPartnerRequest')
    await untilFound(async () => {
      const response = await actors.send(id, { headers: credentials[0]!, path })
      const text = await response.text()
      if (!response.ok) throw Object.assign(new Error(`${id}: ${text}`), { status: response.status })
    })
  return {
    headers: Object.assign({}, ...credentials, isStream && { Accept: 'text/event-stream' }),
    ...(query && { query }),
    ...(Object.keys(path).length && { path }),
    ...(await bodyOf(id, actors)),
  }
}

/** So many are prepared at once that a busy server responds in time. */
const AT_ONCE = 8

/** A valid request for every operation, each with its own partner and citizen. */
export async function validRequests(service: TestService): Promise<Map<OperationId, RequestParts>> {
  const requests = new Map<OperationId, RequestParts>()
  const ids = OPERATION_IDS.values()
  const prepareInTurn = async () => {
    for (const id of ids) {
      const actors = { ...service, partner: await service.partner(), citizen: await service.citizen() }
      requests.set(id, await validRequest(id, actors))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, prepareInTurn))
  return requests
}
