// The users of a service: partners, citizens and operators. `baseUrl`, `citizenUrl` and `operatorUrl` are the
// addresses of the APIs, as a service publishes them. Example:
//   const operator = operatorApi(operatorUrl, token)
//   const { headers } = await createPartner(operator, { partner_code: 'HOTEL' })
//   await createCitizen(operator, 'CTZ-1')
//   const qrValue = await citizenApp(citizenUrl, citizenToken).showQr()
//   await partnerApi(baseUrl, headers)('requestAuthorization', { body: { qr_value: qrValue } })
import {
  type CitizenAppOperations,
  type OperatorOperations,
  type PartnerOperations,
  routes,
  type Schemas,
} from '@tiwala/contract'
import operatorDocument from '@tiwala/contract/operator.json' with { type: 'json' }
import { createTransport, type Transport, type TransportOptions } from '@tiwala/transport'

type Options = Omit<TransportOptions, 'baseUrl' | 'headers'>
export type OperatorApi = Transport<OperatorOperations>

export const ALL_SCOPES: Schemas['Scope'][] = ['PROFILE_INQUIRE', 'PROFILE_VIEW', 'SSO_AUTHENTICATION']

export const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })

/** The headers with which a partner authenticates to the profile API. */
export const secretHeaders = (
  credentials: Pick<Schemas['PartnerCredentials'], 'secret_code' | 'secret_token'>,
) => ({
  'X-Secret-Code': credentials.secret_code,
  'X-Secret-Token': credentials.secret_token,
})

/** Calls any operation of the partner's APIs with these headers. */
export const partnerApi = (baseUrl: string, headers: Record<string, string> = {}, options: Options = {}) =>
  createTransport<PartnerOperations>(routes.partner, { ...options, baseUrl, headers })

export const operatorApi = (operatorUrl: string, token: string, options: Options = {}): OperatorApi =>
  createTransport(routes.operator, { ...options, baseUrl: operatorUrl, headers: bearer(token) })

export const citizenApi = (citizenUrl: string, token: string, options: Options = {}) =>
  createTransport<CitizenAppOperations>(routes['citizen-app'], {
    ...options,
    baseUrl: citizenUrl,
    headers: bearer(token),
  })

/** The app on a citizen's phone. */
export function citizenApp(citizenUrl: string, token: string, options: Options = {}) {
  const app = citizenApi(citizenUrl, token, options)
  const path = (tracking_no: string) => ({ path: { tracking_no } })
  return {
    app,
    showQr: async (purpose: Schemas['QrPurpose'] = 'inquire') =>
      (await app('issueQrCode', { body: { purpose } })).body.qr_value,
    exchangeCode: async (partner_code: string, code_challenge?: string) =>
      (
        await app('issueExchangeCode', {
          body: { partner_code, ...(code_challenge !== undefined && { code_challenge }) },
        })
      ).body.exchange_code,
    accept: (trackingNo: string) => app('acceptAuthorization', path(trackingNo)),
    decline: (trackingNo: string) => app('declineAuthorization', path(trackingNo)),
    revoke: (trackingNo: string) => app('revokeAuthorization', path(trackingNo)),
    /** Replaces all preferences. `{}`: nothing is frozen or blocked. */
    setPreferences: async ({ frozen = false, blocked_partners = [] }: Partial<Schemas['Preferences']>) =>
      (await app('replacePreferences', { body: { frozen, blocked_partners } })).body,
  }
}

/** Registers a partner, with all scopes unless others are given. */
export async function createPartner(
  operator: OperatorApi,
  registration: Partial<Schemas['PartnerRegistration']> & { partner_code: string },
) {
  const body = { name: registration.partner_code, purpose: 'To test.', scopes: ALL_SCOPES, ...registration }
  const { credentials } = (await operator('createPartner', { body })).body
  return { credentials, headers: secretHeaders(credentials) }
}

const EXAMPLE =
  operatorDocument.paths[routes.operator.upsertCitizen.path].put.requestBody.content['application/json']
    .examples.citizen.value

/** The example of the operator document, with a photo that a live service accepts too. */
export const exampleCitizen = {
  profile: { ...EXAMPLE.profile, photo: 'https://photos.citizen.example/1.jpg' },
  passport: EXAMPLE.passport,
} as { profile: Schemas['Profile']; passport: Schemas['Passport'] }

export const exampleProfile = (uniqid: string): Schemas['Profile'] => ({ ...exampleCitizen.profile, uniqid })

export const createCitizen = (operator: OperatorApi, uniqid: string) =>
  operator('upsertCitizen', { path: { uniqid }, body: { profile: exampleProfile(uniqid), passport: null } })
