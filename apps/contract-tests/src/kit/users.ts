import { createPartnerClient, createSsoClient } from '@tiwala/client'
import type { OperationId, Schemas } from '@tiwala/contract'
import { basePathOf, documentOf, type RequestOptions, send as sendTo } from '@tiwala/kit/operations'
import { bearer, citizenApp, createPartner, exampleProfile, operatorApi } from '@tiwala/kit/users'
import type { startService } from '@tiwala/server/testing'

export type Users = Awaited<ReturnType<typeof createUsers>>
export type Partner = Awaited<ReturnType<Users['partner']>>
export type Citizen = Awaited<ReturnType<Users['citizen']>>

let count = 0

/**
 * Functions that create partners and citizens of a running service, and send their requests to it.
 * `operatorUrl`: where the operator API listens.
 */
export async function createUsers(
  url: string,
  tokens: Awaited<ReturnType<typeof startService>>['tokens'],
  operatorUrl = url,
) {
  /** Sends a request without a client. */
  const send = (id: OperationId, options?: RequestOptions): Promise<Response> =>
    sendTo(documentOf(id) === 'operator' ? operatorUrl : url, id, options)

  const operatorToken = await tokens.operator()
  const operator = operatorApi(operatorUrl + basePathOf('operator'), operatorToken)

  async function partner(overrides: Partial<Schemas['PartnerRegistration']> = {}) {
    const partner_code = `PARTNER_${++count}`
    const { credentials, headers } = await createPartner(operator, {
      partner_code,
      name: `Partner ${count} Incorporated`,
      ...overrides,
    })
    const path = { partner_code: credentials.partner_code }
    return {
      code: credentials.partner_code,
      credentials,
      headers,
      profiles: createPartnerClient({
        baseUrl: url,
        secretCode: credentials.secret_code,
        secretToken: credentials.secret_token,
        // The tests assert single responses.
        maxRetries: 0,
      }),
      sso: createSsoClient({
        authUrl: url,
        partnerCode: credentials.partner_code,
        partnerSecret: credentials.partner_secret,
      }),
      read: async () => (await operator('readPartner', { path })).body,
      change: async (changes: Schemas['PartnerChange']) =>
        (await operator('changePartner', { path, body: changes })).body,
    }
  }

  async function citizen(
    overrides: Partial<Schemas['Profile']> = {},
    passport: Schemas['Passport'] | null = null,
  ) {
    const uniqid = `TEST-${++count}`
    const profile = { ...exampleProfile(uniqid), ...overrides }
    await operator('upsertCitizen', { path: { uniqid }, body: { profile, passport } })
    const token = await tokens.citizen(uniqid)
    const app = citizenApp(url + basePathOf('citizen-app'), token)
    const disclosures = async () => (await app.app('listDisclosures', {})).body.disclosures
    return { uniqid, profile, token, ...app, disclosures }
  }

  const unknownCitizenHeaders = async () => bearer(await tokens.citizen('UNKNOWN'))

  /** A new partner, a new citizen, and a pending record between them. */
  async function pending() {
    const [newPartner, newCitizen] = [await partner(), await citizen()]
    const { record } = await newPartner.profiles.requestAuthorization(await newCitizen.showQr())
    return { partner: newPartner, citizen: newCitizen, trackingNo: record.tracking_no }
  }

  return { url, pending, operatorToken, operator, send, partner, citizen, unknownCitizenHeaders }
}
