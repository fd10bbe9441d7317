import { createPartnerClient, createSsoClient } from '@tiwala/client'
import {
  type CitizenAppOperations,
  type OperationId,
  type OperatorOperations,
  routes,
  type Schemas,
} from '@tiwala/contract'
import type { startService } from '@tiwala/server/testing'
import { createTransport } from '@tiwala/transport'
import { documentOf, locate } from '../contract-check/documents.ts'
import { exampleProfile } from './example-profile.ts'

export const ALL_SCOPES: Schemas['Scope'][] = ['PROFILE_INQUIRE', 'PROFILE_VIEW', 'SSO_AUTHENTICATION']

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
  /** Sends a request without a client: only the method and the path come from the document. */
  function send(
    id: OperationId,
    init: RequestInit & { query?: string; path?: Record<string, string> } = {},
  ): Promise<Response> {
    const { method, path } = locate(id)
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(init.path?.[name] ?? 'unknown'),
    )
    const origin = documentOf(id) === 'operator' ? operatorUrl : url
    return fetch(`${origin}${filled}${init.query ? `?${init.query}` : ''}`, { method, ...init })
  }

  const operatorToken = await tokens.operator()
  const operator = createTransport<OperatorOperations>(routes.operator, {
    baseUrl: operatorUrl + basePath('createPartner', 'operator'),
    headers: { Authorization: `Bearer ${operatorToken}` },
  })

  async function partner(overrides: Partial<Schemas['PartnerRegistration']> = {}) {
    const partner_code = `PARTNER_${++count}`
    const registration = {
      partner_code,
      name: `Partner ${count} Incorporated`,
      purpose: 'To test.',
      scopes: ALL_SCOPES,
      ...overrides,
    }
    const { body } = await operator('createPartner', { body: registration })
    const { credentials } = body
    const path = { partner_code: credentials.partner_code }
    return {
      code: credentials.partner_code,
      credentials,
      headers: { 'X-Secret-Code': credentials.secret_code, 'X-Secret-Token': credentials.secret_token },
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
    const app = createTransport<CitizenAppOperations>(routes['citizen-app'], {
      baseUrl: url + basePath('issueQrCode', 'citizen-app'),
      headers: { Authorization: `Bearer ${token}` },
    })
    return {
      uniqid,
      profile,
      token,
      app,
      showQr: async (purpose: Schemas['QrPurpose'] = 'inquire') =>
        (await app('issueQrCode', { body: { purpose } })).body.qr_value,
      exchangeCode: async (partnerCode: string) =>
        (await app('issueExchangeCode', { body: { partner_code: partnerCode } })).body.exchange_code,
      accept: (trackingNo: string) => app('acceptAuthorization', { path: { tracking_no: trackingNo } }),
      revoke: (trackingNo: string) => app('revokeAuthorization', { path: { tracking_no: trackingNo } }),
      decline: (trackingNo: string) => app('declineAuthorization', { path: { tracking_no: trackingNo } }),
      disclosures: async () => (await app('listDisclosures', {})).body.disclosures,
      /** Replaces all preferences. `{}`: nothing is frozen or blocked. */
      setPreferences: async ({ frozen = false, blocked_partners = [] }: Partial<Schemas['Preferences']>) =>
        (await app('replacePreferences', { body: { frozen, blocked_partners } })).body,
    }
  }

  const unknownCitizenHeaders = async () => ({
    Authorization: `Bearer ${await tokens.citizen('UNKNOWN')}`,
  })

  /** A new partner, a new citizen, and a pending record between them. */
  async function pending() {
    const [newPartner, newCitizen] = [await partner(), await citizen()]
    const { record } = await newPartner.profiles.requestAuthorization(await newCitizen.showQr())
    return { partner: newPartner, citizen: newCitizen, trackingNo: record.tracking_no }
  }

  return { pending, operatorToken, operator, send, partner, citizen, unknownCitizenHeaders }
}

function basePath(id: OperationId, document: keyof typeof routes): string {
  const { path } = locate(id)
  const own = (routes[document] as Record<string, { path: string }>)[id]!.path
  return path.slice(0, path.length - own.length)
}
