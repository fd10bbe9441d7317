import { createPartnerClient, createSsoClient, type TiwalaError } from '@tiwala/client'
import {
  type CitizenAppOperations,
  type ErrorCode,
  type OperationId,
  type OperatorOperations,
  routes,
  type Schemas,
} from '@tiwala/contract'
import { startService, type TestEngine } from '@tiwala/server/testing'
import { createTransport } from '@tiwala/transport'
import { afterAll, inject, vi } from 'vitest'
import { locate } from '../contract-check/documents.ts'
import { checkService } from '../contract-check/traffic.ts'
import { exampleProfile } from './example-profile.ts'

declare module 'vitest' {
  interface ProvidedContext {
    engine: TestEngine
  }
}

export const ALL_SCOPES: Schemas['Scope'][] = ['PROFILE_INQUIRE', 'PROFILE_VIEW', 'SSO_AUTHENTICATION']

export const NO_LIMITS: Schemas['PartnerLimits'] = {
  requests_per_minute: null,
  views_per_minute: null,
  tokens_per_minute: null,
  sign_ins_per_minute: null,
  per_day: null,
}

export type TestService = Awaited<ReturnType<typeof createTestService>>
export type Partner = Awaited<ReturnType<TestService['partner']>>
export type Citizen = Awaited<ReturnType<TestService['citizen']>>

let count = 0
let common: Promise<TestService> | undefined

/**
 * With settings (also `{}`) a new test service. Without settings the one that all files of a worker share;
 * each test creates its own partners and citizens in it.
 */
export async function startTestService(settings?: Record<string, string>): Promise<TestService> {
  if (settings) return createTestService(settings)
  common ??= createTestService({})
  return { ...(await common), close: async () => {} }
}

/** Closes the service that all files of a worker share. The next file starts another one. */
export async function closeCommonService(): Promise<void> {
  const closed = common
  common = undefined
  await (await closed)?.close(0)
}

/**
 * For the top level of a test file: starts the service, and closes it after the last test of the file.
 */
export async function startServiceForFile(settings?: Record<string, string>): Promise<TestService> {
  const starting = startTestService(settings)
  afterAll(async () => (await starting).close())
  return starting
}

/**
 * A real server over a new database, with functions that create partners and citizens. `fetch`
 * checks every response of it against the documents.
 */
async function createTestService(settings: Record<string, string>) {
  const server = await startService(inject('engine'), settings)
  const { url } = server
  checkService(url)

  /** Sends a request without a client: only the method and the path come from the document. */
  function send(
    id: OperationId,
    init: RequestInit & { query?: string; path?: Record<string, string> } = {},
  ): Promise<Response> {
    const { method, path } = locate(id)
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(init.path?.[name] ?? 'unknown'),
    )
    return fetch(`${url}${filled}${init.query ? `?${init.query}` : ''}`, { method, ...init })
  }

  const operatorToken = await server.tokens.operator()
  const operator = createTransport<OperatorOperations>(routes.operator, {
    baseUrl: url + basePath('createPartner', 'operator'),
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
    const token = await server.tokens.citizen(uniqid)
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
    Authorization: `Bearer ${await server.tokens.citizen('UNKNOWN')}`,
  })

  /** A new partner, a new citizen, and a pending record between them. */
  async function pending() {
    const [newPartner, newCitizen] = [await partner(), await citizen()]
    const { record } = await newPartner.profiles.requestAuthorization(await newCitizen.showQr())
    return { partner: newPartner, citizen: newCitizen, trackingNo: record.tracking_no }
  }

  return {
    ...server,
    pending,
    operatorToken,
    operator,
    send,
    partner,
    citizen,
    unknownCitizenHeaders,
  }
}

/**
 * The error of an inquiry too early. One that succeeds is repeated: the notification of the request, which
 * allows an inquiry at once, may come after an inquiry.
 */
export const refusalOfPolling = (inquire: () => Promise<unknown>) => vi.waitFor(() => refusal(inquire()))

/** The error of a refused request. Throws when the request succeeds. */
export async function refusal(request: Promise<unknown>): Promise<TiwalaError & { code: ErrorCode }> {
  const outcome = await request.then(
    () => new Error('expected a refusal, but the request succeeded'),
    (error: unknown) => error,
  )
  // Compared by name, because the packed client has its own copy of the class.
  if (outcome instanceof Error && outcome.name === 'TiwalaError')
    return outcome as TiwalaError & { code: ErrorCode }
  throw outcome
}

function basePath(id: OperationId, document: keyof typeof routes): string {
  const { path } = locate(id)
  const own = (routes[document] as Record<string, { path: string }>)[id]!.path
  return path.slice(0, path.length - own.length)
}
