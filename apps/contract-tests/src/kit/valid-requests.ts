import type { OperationId } from '@tiwala/contract'
import { untilSealed } from './audit.ts'
import { refusal, type TestService } from './test-service.ts'
import type { Citizen, Partner } from './users.ts'

/** The parts of a request. Its body is `fields`, or `text` if it is NDJSON. */
export type RequestParts = {
  headers: Record<string, string>
  query?: string
  path?: Record<string, string>
  fields?: Record<string, unknown>
  text?: string
}
export type Actors = {
  partner: Partner
  citizen: Citizen
  operator: TestService['operator']
  operatorToken: string
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })

export const secretsOf = ({ credentials: { partner_code, partner_secret } }: Partner) => ({
  partner_code,
  partner_secret,
})

async function pendingRecord({ partner, citizen }: Actors) {
  const { record } = await partner.profiles.requestAuthorization(await citizen.showQr())
  return { tracking_no: record.tracking_no }
}

/** Sets a callback URL that refuses connections, so that the partner's events stay pending. */
async function withCallback({ operator, partner }: Actors) {
  const path = { partner_code: partner.code }
  await operator('setCallback', { path, body: { callback_url: 'http://localhost:9/callback' } })
  return path
}

/** The headers and the path of an operation on a partner. */
const byOperator = ({ operatorToken, partner }: Actors) => ({
  headers: bearer(operatorToken),
  path: { partner_code: partner.code },
})

/** A valid request for every operation. Tests change one part of it and expect a refusal. */
export const VALID_REQUESTS: { [Id in OperationId]: (actors: Actors) => Promise<RequestParts> } = {
  requestAuthorization: async ({ partner, citizen }) => ({
    headers: partner.headers,
    fields: { qr_value: await citizen.showQr() },
  }),
  inquire: async (actors) => ({
    headers: actors.partner.headers,
    query: `tracking_no=${(await pendingRecord(actors)).tracking_no}`,
  }),
  cancelAuthorization: async (actors) => ({
    headers: actors.partner.headers,
    path: await pendingRecord(actors),
  }),
  profileByQr: async ({ partner, citizen }) => ({
    headers: partner.headers,
    query: `qr_value=${await citizen.showQr('share')}`,
  }),
  readPartnerSelf: async ({ partner }) => ({ headers: partner.headers }),
  readDiagnosis: async ({ partner }) => {
    const { requestId } = await refusal(partner.profiles.inquire('unknown'))
    return { headers: partner.headers, path: { request_id: requestId! } }
  },
  generateToken: async ({ partner, citizen }) => {
    const exchange_code = await citizen.exchangeCode(partner.code)
    return { headers: {}, fields: { ...secretsOf(partner), scope: 'SSO_AUTHENTICATION', exchange_code } }
  },
  authenticate: async ({ partner, citizen }) => ({
    headers: bearer(await partner.sso.generateToken(await citizen.exchangeCode(partner.code))),
  }),

  issueQrCode: async ({ citizen }) => ({ headers: bearer(citizen.token), fields: { purpose: 'inquire' } }),
  listAuthorizations: async ({ citizen }) => ({ headers: bearer(citizen.token) }),
  readAuthorization: async (actors) => ({
    headers: bearer(actors.citizen.token),
    path: await pendingRecord(actors),
  }),
  acceptAuthorization: async (actors) => ({
    headers: bearer(actors.citizen.token),
    path: await pendingRecord(actors),
  }),
  declineAuthorization: async (actors) => ({
    headers: bearer(actors.citizen.token),
    path: await pendingRecord(actors),
  }),
  revokeAuthorization: async (actors) => {
    const path = await pendingRecord(actors)
    await actors.citizen.accept(path.tracking_no)
    return { headers: bearer(actors.citizen.token), path }
  },
  streamEvents: async ({ citizen }) => ({
    headers: { ...bearer(citizen.token), Accept: 'text/event-stream' },
  }),
  issueExchangeCode: async ({ partner, citizen }) => ({
    headers: bearer(citizen.token),
    fields: { partner_code: partner.code },
  }),
  listDisclosures: async ({ citizen }) => ({ headers: bearer(citizen.token) }),
  disputeDisclosure: async ({ partner, citizen }) => {
    const { requestId } = await partner.profiles.profileByQr(await citizen.showQr('share'))
    return { headers: bearer(citizen.token), path: { disclosure_id: requestId } }
  },
  readDisclosureProof: async ({ partner, citizen, operator }) => {
    const { requestId } = await partner.profiles.profileByQr(await citizen.showQr('share'))
    await untilSealed(operator)
    return { headers: bearer(citizen.token), path: { disclosure_id: requestId } }
  },
  readPreferences: async ({ citizen }) => ({ headers: bearer(citizen.token) }),
  replacePreferences: async ({ partner, citizen }) => ({
    headers: bearer(citizen.token),
    fields: { frozen: false, blocked_partners: [partner.code] },
  }),

  createPartner: async ({ operatorToken }) => {
    const partner_code = `VALID_${Math.floor(Math.random() * 1e9)}`
    return {
      headers: bearer(operatorToken),
      fields: { partner_code, name: 'Valid', purpose: 'To test.', scopes: [] },
    }
  },
  listPartners: async ({ operatorToken }) => ({ headers: bearer(operatorToken), query: 'limit=1' }),
  readPartner: async (actors) => byOperator(actors),
  changePartner: async (actors) => ({ ...byOperator(actors), fields: { purpose: 'To test further.' } }),
  listCredentials: async (actors) => byOperator(actors),
  rotateCredential: async (actors) => ({
    ...byOperator(actors),
    fields: { kind: 'secret_token', grace_days: 7 },
  }),
  revokeCredential: async (actors) => {
    const { headers, path } = byOperator(actors)
    const { body } = await actors.operator('listCredentials', { path })
    return { headers, path: { ...path, credential_id: body.credentials[0]!.id } }
  },
  findAuthorizations: async (actors) => ({
    headers: bearer(actors.operatorToken),
    path: await pendingRecord(actors),
  }),
  suspendPartner: async (actors) => byOperator(actors),
  resumePartner: async (actors) => byOperator(actors),
  setCallback: async (actors) => ({
    ...byOperator(actors),
    fields: { callback_url: 'https://partner.example/callback' },
  }),
  rotateWebhookSecret: async (actors) => ({ ...byOperator(actors), fields: { grace_days: 7 } }),
  testCallback: async (actors) => ({
    headers: bearer(actors.operatorToken),
    path: await withCallback(actors),
  }),
  listDeliveries: async ({ operatorToken }) => ({ headers: bearer(operatorToken) }),
  replayDelivery: async (actors) => {
    const { body } = await actors.operator('testCallback', { path: await withCallback(actors) })
    return { headers: bearer(actors.operatorToken), path: { webhook_id: body.webhook_id } }
  },
  eraseCitizen: async ({ operatorToken, citizen }) => ({
    headers: bearer(operatorToken),
    path: { uniqid: citizen.uniqid },
  }),
  listKeys: async ({ operatorToken }) => ({ headers: bearer(operatorToken) }),
  rewrapKeys: async ({ operatorToken }) => ({ headers: bearer(operatorToken), fields: { limit: 1000 } }),
  replayChange: async ({ operatorToken, partner }) => ({
    headers: bearer(operatorToken),
    fields: { kind: 'partner.suspended', occurred_at: new Date().toISOString(), partner_code: partner.code },
  }),
  completeRestore: async ({ operatorToken }) => ({ headers: bearer(operatorToken) }),
  upsertCitizen: async ({ operatorToken, citizen: { uniqid, profile } }) => ({
    headers: bearer(operatorToken),
    path: { uniqid },
    fields: { profile, passport: null },
  }),
  importCitizens: async ({ operatorToken, citizen: { profile } }) => ({
    headers: bearer(operatorToken),
    text: JSON.stringify({ profile, passport: null }),
  }),
  listDisputes: async ({ operatorToken }) => ({ headers: bearer(operatorToken) }),
  listAuditEvents: async ({ operatorToken }) => ({ headers: bearer(operatorToken) }),
  listCheckpoints: async ({ operatorToken }) => ({ headers: bearer(operatorToken) }),
  readCheckpoint: async ({ operator, operatorToken }) => {
    await untilSealed(operator)
    return { headers: bearer(operatorToken), path: { checkpoint: '1' } }
  },
  listAuditKeys: async ({ operatorToken }) => ({ headers: bearer(operatorToken) }),
  verifyAudit: async ({ operatorToken }) => ({ headers: bearer(operatorToken) }),
}

/** A valid request for every operation, each with its own partner and citizen. */
export async function validRequests(service: TestService): Promise<Map<OperationId, RequestParts>> {
  const prepare = async (id: OperationId) =>
    VALID_REQUESTS[id]({ ...service, partner: await service.partner(), citizen: await service.citizen() })
  const ids = Object.keys(VALID_REQUESTS) as OperationId[]
  return new Map(await Promise.all(ids.map(async (id) => [id, await prepare(id)] as const)))
}
