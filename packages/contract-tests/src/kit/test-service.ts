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
import { inject } from 'vitest'
import { assertMatchesContract, locate } from './contract-check.ts'
import { exampleProfile } from './example-profile.ts'

declare module 'vitest' {
  interface ProvidedContext {
    engine: TestEngine
  }
}

export const ALL_SCOPES: Schemas['Scope'][] = ['PROFILE_INQUIRE', 'PROFILE_VIEW', 'SSO_AUTHENTICATION']

export type TestService = Awaited<ReturnType<typeof createTestService>>
export type Partner = Awaited<ReturnType<TestService['partner']>>
export type Citizen = Awaited<ReturnType<TestService['citizen']>>

let count = 0
let common: Promise<TestService> | undefined

/** A service of one's own where settings are given (`{}` counts); else the one that all files of a worker share, in which everybody brings their own people. */
export async function startTestService(settings?: Record<string, string>): Promise<TestService> {
  if (settings) return createTestService(settings)
  common ??= createTestService({})
  return { ...(await common), close: async () => {} }
}

/** A real server over a fresh database, and the people who meet there. Every answer is held against the contract on its way. */
async function createTestService(settings: Record<string, string>) {
  const server = await startService(inject('engine'), settings)
  const { url } = server
  const routed = (Object.values(routes).flatMap((table) => Object.keys(table)) as OperationId[]).map((id) => ({ id, ...pattern(id) }))

  /** `fetch` that fails the test when an answer is not one the document promises. */
  async function checkedFetch(request: Request): Promise<Response> {
    const response = await fetch(request)
    const path = new URL(request.url).pathname
    const called = routed.find(({ method, shape }) => method === request.method && shape.test(path))
    if (called) await assertMatchesContract(called.id, response)
    return response
  }

  /** A request as a stranger would write it: only the place is filled in. */
  function send(id: OperationId, init: RequestInit & { query?: string; path?: Record<string, string> } = {}): Promise<Response> {
    const { method, path } = locate(id)
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(init.path?.[name] ?? 'unknown'))
    return checkedFetch(new Request(`${url}${filled}${init.query ? `?${init.query}` : ''}`, { method, ...init }))
  }

  const operatorToken = await server.tokens.operator()
  const operator = createTransport<OperatorOperations>(routes.operator, {
    baseUrl: url + basePath('createPartner', 'operator'),
    headers: { Authorization: `Bearer ${operatorToken}` },
    fetch: checkedFetch,
  })

  async function partner(given: Partial<Schemas['PartnerRegistration']> = {}) {
    const partner_code = `PARTNER_${++count}`
    const registration = { partner_code, name: `Partner ${count} Incorporated`, purpose: 'To test.', scopes: ALL_SCOPES, ...given }
    const { body } = await operator('createPartner', { body: registration })
    const { credentials } = body
    return {
      code: credentials.partner_code,
      credentials,
      headers: { 'X-Secret-Code': credentials.secret_code, 'X-Secret-Token': credentials.secret_token },
      profiles: createPartnerClient({
        baseUrl: url,
        secretCode: credentials.secret_code,
        secretToken: credentials.secret_token,
        fetch: checkedFetch,
      }),
      sso: createSsoClient({
        authUrl: url,
        partnerCode: credentials.partner_code,
        partnerSecret: credentials.partner_secret,
        fetch: checkedFetch,
      }),
    }
  }

  async function citizen(given: Partial<Schemas['Profile']> = {}, passport: Schemas['Passport'] | null = null) {
    const uniqid = `TEST-${++count}`
    const profile = { ...exampleProfile(uniqid), ...given }
    await operator('upsertCitizen', { path: { uniqid }, body: { profile, passport } })
    const token = await server.tokens.citizen(uniqid)
    const app = createTransport<CitizenAppOperations>(routes['citizen-app'], {
      baseUrl: url + basePath('issueQrCode', 'citizen-app'),
      headers: { Authorization: `Bearer ${token}` },
      fetch: checkedFetch,
    })
    return {
      uniqid,
      profile,
      token,
      app,
      showQr: async (purpose: Schemas['QrPurpose'] = 'inquire') => (await app('issueQrCode', { body: { purpose } })).body.qr_value,
      exchangeCode: async (partnerCode: string) =>
        (await app('issueExchangeCode', { body: { partner_code: partnerCode } })).body.exchange_code,
      accept: (trackingNo: string) => app('acceptAuthorization', { path: { tracking_no: trackingNo } }),
      revoke: (trackingNo: string) => app('revokeAuthorization', { path: { tracking_no: trackingNo } }),
      decline: (trackingNo: string) => app('declineAuthorization', { path: { tracking_no: trackingNo } }),
    }
  }

  /** A request of a partner's that a citizen has not answered. */
  async function pending() {
    const [asking, asked] = [await partner(), await citizen()]
    const { record } = await asking.profiles.requestAuthorization(await asked.showQr())
    return { partner: asking, citizen: asked, trackingNo: record.tracking_no }
  }

  return { ...server, pending, operatorToken, operator, send, checkedFetch, partner, citizen }
}

/** The refusal that a call ends with; fails when it succeeds. */
export async function refusal(call: Promise<unknown>): Promise<TiwalaError & { code: ErrorCode }> {
  const outcome = await call.then(
    () => new Error('expected a refusal, but the call succeeded'),
    (error: unknown) => error,
  )
  // By name: the client that partners install carries its own copy of the class.
  if (outcome instanceof Error && outcome.name === 'TiwalaError') return outcome as TiwalaError & { code: ErrorCode }
  throw outcome
}

function basePath(id: OperationId, document: keyof typeof routes): string {
  const { path } = locate(id)
  const own = (routes[document] as Record<string, { path: string }>)[id]!.path
  return path.slice(0, path.length - own.length)
}

function pattern(id: OperationId): { method: string; shape: RegExp } {
  const { method, path } = locate(id)
  return { method, shape: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }
}
