import { createPartnerClient, createSsoClient, TiwalaError } from '@tiwala/client'
import { type CitizenAppOperations, type ErrorCode, type OperationId, type OperatorOperations, routes, type Schemas } from '@tiwala/contract'
import { startService, type TestEngine } from '@tiwala/server/testing'
import { createTransport } from '@tiwala/transport'
import { inject } from 'vitest'
import { assertKeepsContract, locate } from './contract-check.ts'

declare module 'vitest' {
  interface ProvidedContext {
    engine: TestEngine
  }
}

export const ALL_SCOPES: Schemas['Scope'][] = ['PROFILE_INQUIRE', 'PROFILE_VIEW', 'SSO_AUTHENTICATION']

export type World = Awaited<ReturnType<typeof startWorld>>
export type Partner = Awaited<ReturnType<World['partner']>>
export type Citizen = Awaited<ReturnType<World['citizen']>>

/** A real server over a fresh database, and the people who meet there. Every answer is held against the contract on its way. */
export async function startWorld(settings: Record<string, string> = {}) {
  const service = await startService(inject('engine'), settings)
  const { url } = service
  const routed = (Object.values(routes).flatMap((table) => Object.keys(table)) as OperationId[]).map((id) => ({ id, ...pattern(id) }))

  /** `fetch` that fails the test when an answer is not one the document promises. */
  async function checkedFetch(request: Request): Promise<Response> {
    const response = await fetch(request)
    const path = new URL(request.url).pathname
    const called = routed.find(({ method, shape }) => method === request.method && shape.test(path))
    if (called) await assertKeepsContract(called.id, response)
    return response
  }

  /** A request as a stranger would write it: only the place is filled in. */
  function send(id: OperationId, init: RequestInit & { query?: string; path?: Record<string, string> } = {}): Promise<Response> {
    const { method, path } = locate(id)
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(init.path?.[name] ?? 'unknown'))
    return checkedFetch(new Request(`${url}${filled}${init.query ? `?${init.query}` : ''}`, { method, ...init }))
  }

  const operatorToken = await service.tokens.operator()
  const operator = createTransport<OperatorOperations>(routes.operator, { baseUrl: url + basePath('createPartner', 'operator'), headers: { Authorization: `Bearer ${operatorToken}` }, fetch: checkedFetch })

  let count = 0

  async function partner(given: Partial<Schemas['PartnerRegistration']> = {}) {
    const partner_code = `PARTNER_${++count}`
    const registration = { partner_code, name: `Partner ${count} Incorporated`, purpose: 'To test.', scopes: ALL_SCOPES, ...given }
    const { body } = await operator('createPartner', { body: registration })
    const { credentials } = body
    return {
      code: credentials.partner_code,
      credentials,
      headers: { 'X-Secret-Code': credentials.secret_code, 'X-Secret-Token': credentials.secret_token },
      profiles: createPartnerClient({ baseUrl: url, secretCode: credentials.secret_code, secretToken: credentials.secret_token, fetch: checkedFetch }),
      sso: createSsoClient({ authUrl: url, partnerCode: credentials.partner_code, partnerSecret: credentials.partner_secret, fetch: checkedFetch }),
    }
  }

  async function citizen(given: Partial<Schemas['Profile']> = {}, passport: Schemas['Passport'] | null = null) {
    const uniqid = `TEST-${++count}`
    const profile = { ...exampleProfile(uniqid), ...given }
    await operator('upsertCitizen', { path: { uniqid }, body: { profile, passport } })
    const token = await service.tokens.citizen(uniqid)
    const app = createTransport<CitizenAppOperations>(routes['citizen-app'], { baseUrl: url + basePath('issueQrCode', 'citizen-app'), headers: { Authorization: `Bearer ${token}` }, fetch: checkedFetch })
    return {
      uniqid,
      profile,
      token,
      app,
      showQr: async (purpose: Schemas['QrPurpose'] = 'inquire') => (await app('issueQrCode', { body: { purpose } })).body.qr_value,
      exchangeCode: async (partnerCode: string) => (await app('issueExchangeCode', { body: { partner_code: partnerCode } })).body.exchange_code,
      accept: (trackingNo: string) => app('acceptAuthorization', { path: { tracking_no: trackingNo } }),
      decline: (trackingNo: string) => app('declineAuthorization', { path: { tracking_no: trackingNo } }),
    }
  }

  return { ...service, operatorToken, operator, send, checkedFetch, partner, citizen }
}

/** The refusal that a call ends with; fails when it succeeds. */
export async function refusal(call: Promise<unknown>): Promise<TiwalaError & { code: ErrorCode }> {
  const outcome = await call.then(
    () => new Error('expected a refusal, but the call succeeded'),
    (error: unknown) => error,
  )
  if (outcome instanceof TiwalaError && outcome.code !== 'unexpected_answer') return outcome as TiwalaError & { code: ErrorCode }
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

function exampleProfile(uniqid: string): Schemas['Profile'] {
  return {
    uniqid,
    email: 'someone@citizen.example',
    birth_date: '1990-04-17',
    first_name: 'Maria',
    middle_name: 'Reyes',
    last_name: 'Santos',
    suffix: null,
    gender: 'female',
    nationality: 'Filipino',
    photo: 'https://photos.example/1.svg',
    mobile: '+639170000000',
    address: '12 Mabini Street, Makati, Philippines',
    street: '12 Mabini Street',
    barangay: 'Poblacion',
    municipality: 'Makati',
    region: 'National Capital Region',
    province: 'Metro Manila',
    country: 'Philippines',
    postal: '1210',
    address_line_2: '',
    barangay_code: '137602020',
    province_code: '133900000',
    municipality_code: '137602000',
    region_code: '130000000',
    country_id: 175,
    foreign_address: null,
  }
}
