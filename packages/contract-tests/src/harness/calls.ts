import type { OperationId } from '@tiwala/contract'
import type { Citizen, Partner, World } from './world.ts'

/** A request in its parts; `fields` are what its body holds. */
export type Parts = { headers: Record<string, string>; query?: string; path?: Record<string, string>; fields?: Record<string, unknown> }
export type Actors = { partner: Partner; citizen: Citizen; operatorToken: string }

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })

export const secretsOf = ({ credentials: { partner_code, partner_secret } }: Partner) => ({ partner_code, partner_secret })

async function pendingRecord({ partner, citizen }: Actors) {
  const { record } = await partner.profiles.requestAuthorization(await citizen.showQr())
  return { tracking_no: record.tracking_no }
}

/** A call of every operation that would succeed: what each test then spoils in one way. */
export const VALID: { [Id in OperationId]: (actors: Actors) => Promise<Parts> } = {
  requestAuthorization: async ({ partner, citizen }) => ({ headers: partner.headers, fields: { qr_value: await citizen.showQr() } }),
  inquire: async (actors) => ({ headers: actors.partner.headers, query: `tracking_no=${(await pendingRecord(actors)).tracking_no}` }),
  cancelAuthorization: async (actors) => ({ headers: actors.partner.headers, path: await pendingRecord(actors) }),
  profileByQr: async ({ partner, citizen }) => ({ headers: partner.headers, query: `qr_value=${await citizen.showQr('share')}` }),
  generateToken: async ({ partner, citizen }) => {
    const exchange_code = await citizen.exchangeCode(partner.code)
    return { headers: {}, fields: { ...secretsOf(partner), scope: 'SSO_AUTHENTICATION', exchange_code } }
  },
  authenticate: async ({ partner, citizen }) => ({
    headers: bearer(await partner.sso.generateToken(await citizen.exchangeCode(partner.code))),
  }),

  issueQrCode: async ({ citizen }) => ({ headers: bearer(citizen.token), fields: { purpose: 'inquire' } }),
  listAuthorizations: async ({ citizen }) => ({ headers: bearer(citizen.token) }),
  readAuthorization: async (actors) => ({ headers: bearer(actors.citizen.token), path: await pendingRecord(actors) }),
  acceptAuthorization: async (actors) => ({ headers: bearer(actors.citizen.token), path: await pendingRecord(actors) }),
  declineAuthorization: async (actors) => ({ headers: bearer(actors.citizen.token), path: await pendingRecord(actors) }),
  revokeAuthorization: async (actors) => {
    const path = await pendingRecord(actors)
    await actors.citizen.accept(path.tracking_no)
    return { headers: bearer(actors.citizen.token), path }
  },
  issueExchangeCode: async ({ partner, citizen }) => ({ headers: bearer(citizen.token), fields: { partner_code: partner.code } }),

  createPartner: async ({ operatorToken }) => {
    const partner_code = `VALID_${Math.floor(Math.random() * 1e9)}`
    return { headers: bearer(operatorToken), fields: { partner_code, name: 'Valid', purpose: 'To test.', scopes: [] } }
  },
  suspendPartner: async ({ operatorToken, partner }) => ({ headers: bearer(operatorToken), path: { partner_code: partner.code } }),
  resumePartner: async ({ operatorToken, partner }) => ({ headers: bearer(operatorToken), path: { partner_code: partner.code } }),
  upsertCitizen: async ({ operatorToken, citizen: { uniqid, profile } }) => ({
    headers: bearer(operatorToken),
    path: { uniqid },
    fields: { profile, passport: null },
  }),
}

/** Calls that would succeed, each with a partner and a citizen of its own. */
export async function validCalls(world: World): Promise<Map<OperationId, Parts>> {
  const calls = new Map<OperationId, Parts>()
  for (const id of Object.keys(VALID) as OperationId[]) {
    calls.set(id, await VALID[id]({ partner: await world.partner(), citizen: await world.citizen(), operatorToken: world.operatorToken }))
  }
  return calls
}
