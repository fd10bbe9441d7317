import { createPartnerClient, createSsoClient } from '@tiwala/client'
import type { CitizenAppOperations } from '@tiwala/contract'
import { routes } from '@tiwala/contract'
import type { CreatedSandbox } from '@tiwala/server/sandbox-bootstrap'
import { createTransport, TiwalaError } from '@tiwala/transport'
import { isEnded, saved } from '../state/sandbox.ts'
import { quietFetch, recordedFetch } from './exchanges.ts'

const BASE_URL = location.origin
/** The visitor sees each request, and decides when to send it again. */
const maxRetries = 0

/** The citizen app API at this server, which may have another name in the browser than in its settings. */
export const citizenUrl = () => BASE_URL + new URL(saved.get()!.sandbox.citizen_url).pathname

/** How the partner API and the citizen app API refuse what an ended sandbox sends. */
const REFUSAL_OF_ENDED = { desk: 401, phone: 404 }

/** Whether a request is shown: `automatic` ones replace each other. */
type Shown = 'always' | 'automatic' | 'never'

const fetchOf = (shown: Shown, side: keyof typeof REFUSAL_OF_ENDED) => async (request: Request) => {
  const response = await (shown === 'never' ? quietFetch : recordedFetch(side, shown === 'automatic'))(
    request,
  )
  // Only the address of the sandbox says whether it has ended.
  if (response.status === REFUSAL_OF_ENDED[side])
    callSandbox('GET', pathOf(saved.get()!.sandbox)).catch(() => {})
  return response
}

/** The partner's server. */
export const deskOf = ({ partner }: CreatedSandbox, shown: Shown = 'always') => {
  const fetch = fetchOf(shown, 'desk')
  const { secret_code: secretCode, secret_token: secretToken } = partner
  return createPartnerClient({ baseUrl: BASE_URL, secretCode, secretToken, fetch, maxRetries })
}

export const ssoOf = ({ partner }: CreatedSandbox) =>
  createSsoClient({
    authUrl: BASE_URL,
    partnerCode: partner.partner_code,
    partnerSecret: partner.partner_secret,
    fetch: fetchOf('always', 'desk'),
  })

/** The citizen app. */
export const phoneOf = (token: string, shown: Shown = 'always') =>
  createTransport<CitizenAppOperations>(routes['citizen-app'], {
    baseUrl: citizenUrl(),
    headers: { Authorization: `Bearer ${token}` },
    fetch: fetchOf(shown, 'phone'),
  })

/** A request that takes longer has no response. */
const MAX_CALL_MS = 10_000
/** The service gives a move of the clock 90 seconds. */
export const MAX_MOVE_MS = 100_000

/**
 * Calls an address of the visitor's sandbox, or makes a sandbox (path `/sandbox`). An own address that is not
 * found means that the sandbox has ended.
 */
export async function callSandbox<Body>(
  method: string,
  path: string,
  body?: object,
  fetch: (request: Request) => Promise<Response> = quietFetch,
  maxMs = MAX_CALL_MS,
): Promise<Body> {
  const request = new Request(BASE_URL + path, {
    method,
    signal: AbortSignal.timeout(maxMs),
    ...(body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  })
  const response = await fetch(request)
  const received = parse(await response.text())
  const own = saved.get()
  if (response.status === 404 && own && path.startsWith(pathOf(own.sandbox))) isEnded.set(true)
  if (!response.ok || !received) throw new TiwalaError(response, received, false)
  return received as Body
}

/** Undefined for a text that is not JSON. Such a response is not from the service, but from a proxy. */
function parse(text: string): unknown {
  try {
    return text ? JSON.parse(text) : {}
  } catch {
    return undefined
  }
}

/** The address of the visitor's sandbox. */
export const pathOf = ({ sandbox_id }: CreatedSandbox, path?: string) =>
  `/sandbox/${sandbox_id}${path ? `/${path}` : ''}`
