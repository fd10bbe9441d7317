import { createPartnerClient, createSsoClient } from '@tiwala/client'
import type { CitizenAppOperations } from '@tiwala/contract'
import { routes } from '@tiwala/contract'
import type { PrivateBootstrap } from '@tiwala/server/sandbox-bootstrap'
import { createTransport, TiwalaError } from '@tiwala/transport'
import { saved } from '../state/sandbox.ts'
import { quietFetch, recordedFetch, type Side } from './exchanges.ts'

const BASE_URL = location.origin
/** The visitor sees each request, and decides when to send it again. */
const maxRetries = 0

/** The citizen app API at this server, which may have another name in the browser than in its settings. */
export const citizenUrl = () => BASE_URL + new URL(saved.get()!.sandbox.citizen_url).pathname

const fetchOf = (isQuiet: boolean, side: Side) => (isQuiet ? quietFetch : recordedFetch(side))

/** The partner's server. `isQuiet`: its requests are not shown beside the act. */
export const deskOf = ({ partner }: PrivateBootstrap, isQuiet = false) => {
  const fetch = fetchOf(isQuiet, 'desk')
  const { secret_code: secretCode, secret_token: secretToken } = partner
  return createPartnerClient({ baseUrl: BASE_URL, secretCode, secretToken, fetch, maxRetries })
}

export const ssoOf = ({ partner }: PrivateBootstrap) =>
  createSsoClient({
    authUrl: BASE_URL,
    partnerCode: partner.partner_code,
    partnerSecret: partner.partner_secret,
    fetch: recordedFetch('desk'),
  })

/** The citizen app. */
export const phoneOf = (token: string, isQuiet = false) =>
  createTransport<CitizenAppOperations>(routes['citizen-app'], {
    baseUrl: citizenUrl(),
    headers: { Authorization: `Bearer ${token}` },
    fetch: fetchOf(isQuiet, 'phone'),
  })

/** Calls an address of the private sandbox, or makes a sandbox (path `/sandbox`). */
export async function callSandbox<Body>(
  method: string,
  path: string,
  body?: object,
  fetch: (request: Request) => Promise<Response> = quietFetch,
): Promise<Body> {
  const request = new Request(BASE_URL + path, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  })
  const response = await fetch(request)
  const text = await response.text()
  const received: unknown = text ? JSON.parse(text) : {}
  if (!response.ok) throw new TiwalaError(response, received, false)
  return received as Body
}

/** The address of the visitor's private sandbox. */
export const pathOf = ({ sandbox_id }: PrivateBootstrap, path?: string) =>
  `/sandbox/${sandbox_id}${path ? `/${path}` : ''}`
