import type { OperationId } from '@tiwala/contract'
import type { World } from './world.ts'

export type Call = { headers: Record<string, string>; query?: string; path?: Record<string, string>; body?: string }

type Actors = { partner: Awaited<ReturnType<World['partner']>>; citizen: Awaited<ReturnType<World['citizen']>>; operatorToken: string }

const json = (value: unknown) => JSON.stringify(value)
const JSON_TYPE = { 'Content-Type': 'application/json' }

async function pendingTrackingNo({ partner, citizen }: Actors): Promise<string> {
  return (await partner.profiles.requestAuthorization(await citizen.showQr())).record.tracking_no
}

/** A call of every operation that would succeed: what each test then spoils in one way. */
const VALID: { [Id in OperationId]: (actors: Actors) => Promise<Call> } = {
  requestAuthorization: async ({ partner, citizen }) => ({
    headers: { ...partner.headers, ...JSON_TYPE },
    body: json({ qr_value: await citizen.showQr() }),
  }),
  inquire: async (actors) => ({ headers: actors.partner.headers, query: `tracking_no=${await pendingTrackingNo(actors)}` }),
  profileByQr: async ({ partner, citizen }) => ({ headers: partner.headers, query: `qr_value=${await citizen.showQr('share')}` }),
  generateToken: async ({ partner, citizen }) => {
    const { partner_code, partner_secret } = partner.credentials
    const exchange_code = await citizen.exchangeCode(partner_code)
    return { headers: JSON_TYPE, body: json({ partner_code, partner_secret, scope: 'SSO_AUTHENTICATION', exchange_code }) }
  },
  authenticate: async ({ partner, citizen }) => ({
    headers: { Authorization: `Bearer ${await partner.sso.generateToken(await citizen.exchangeCode(partner.code))}` },
  }),

  issueQrCode: async ({ citizen }) => ({ headers: { ...bearer(citizen.token), ...JSON_TYPE }, body: json({ purpose: 'inquire' }) }),
  listAuthorizations: async ({ citizen }) => ({ headers: bearer(citizen.token) }),
  readAuthorization: async (actors) => ({ headers: bearer(actors.citizen.token), path: { tracking_no: await pendingTrackingNo(actors) } }),
  acceptAuthorization: async (actors) => ({
    headers: bearer(actors.citizen.token),
    path: { tracking_no: await pendingTrackingNo(actors) },
  }),
  declineAuthorization: async (actors) => ({
    headers: bearer(actors.citizen.token),
    path: { tracking_no: await pendingTrackingNo(actors) },
  }),
  issueExchangeCode: async ({ partner, citizen }) => ({
    headers: { ...bearer(citizen.token), ...JSON_TYPE },
    body: json({ partner_code: partner.code }),
  }),

  createPartner: async ({ operatorToken }) => ({
    headers: { ...bearer(operatorToken), ...JSON_TYPE },
    body: json({ partner_code: `VALID_${Math.floor(Math.random() * 1e9)}`, name: 'Valid', purpose: 'To test.', scopes: [] }),
  }),
  suspendPartner: async ({ operatorToken, partner }) => ({ headers: bearer(operatorToken), path: { partner_code: partner.code } }),
  resumePartner: async ({ operatorToken, partner }) => ({ headers: bearer(operatorToken), path: { partner_code: partner.code } }),
  upsertCitizen: async ({ operatorToken, citizen }) => ({
    headers: { ...bearer(operatorToken), ...JSON_TYPE },
    path: { uniqid: citizen.uniqid },
    body: json({ profile: citizen.profile, passport: null }),
  }),
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })

/** Calls that would succeed, each with a partner and a citizen of its own. */
export async function validCalls(world: World): Promise<Map<OperationId, Call>> {
  const calls = new Map<OperationId, Call>()
  for (const id of Object.keys(VALID) as OperationId[]) {
    const actors = { partner: await world.partner(), citizen: await world.citizen(), operatorToken: world.operatorToken }
    calls.set(id, await VALID[id](actors))
  }
  return calls
}
