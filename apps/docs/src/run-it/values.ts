// Fresh values for the request of each partner operation, made in the reader's sandbox as its citizens and its
// partner would make them.
import { routes } from '@tiwala/contract'
import type { BootstrapCitizen, CreatedSandbox } from '@tiwala/server/sandbox-bootstrap'

/** Values by the names of the parameters and of the fields of the body. */
export type Values = Record<string, string>
export type Answer = { status: number; headers: Headers; body: Record<string, unknown> | undefined }
type PartnerOperation = keyof typeof routes.partner
type Route = { method: string; path: string }

/**
 * Sends an operation. A value stands in the path, or in the query of a request without a body. `signal` can
 * end the request.
 */
export async function send(
  route: Route,
  values: Values,
  headers: Record<string, string>,
  signal: AbortSignal | null = null,
): Promise<Answer> {
  const left = Object.entries(values).filter(([name]) => !route.path.includes(`{${name}}`))
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name]!))
  const hasQuery = route.method === 'get' && left.length > 0
  const hasBody = route.method === 'post' && left.length > 0
  const response = await fetch(hasQuery ? `${path}?${new URLSearchParams(left)}` : path, {
    method: route.method.toUpperCase(),
    signal,
    headers: {
      Accept: 'application/json',
      ...headers,
      ...(hasBody && { 'Content-Type': 'application/json' }),
    },
    ...(hasBody && { body: JSON.stringify(Object.fromEntries(left)) }),
  })
  // The error of a proxy can be HTML.
  const isJson = response.headers.get('Content-Type')?.includes('json')
  return {
    status: response.status,
    headers: response.headers,
    body: isJson ? ((await response.json()) as Answer['body']) : undefined,
  }
}

/** The error of an operation, as the service says it. */
export function errorOf({ status, headers, body }: Answer): Error {
  const seconds = headers.get('Retry-After')
  const text = body ? `${status} ${String(body['error'])}: ${String(body['message'])}` : String(status)
  return new Error(seconds ? `${text} (Retry-After: ${seconds} seconds)` : text)
}

/** Sends an operation that makes a value for another one, and throws its error. */
export async function sendFirst(...request: Parameters<typeof send>): Promise<Record<string, unknown>> {
  const answer = await send(...request)
  if (answer.status >= 400) throw errorOf(answer)
  return answer.body!
}

/** How the partner of the sandbox proves itself, by operation. */
export const credentialsOf = ({ partner }: CreatedSandbox): Record<string, string> => ({
  'X-Secret-Code': partner.secret_code,
  'X-Secret-Token': partner.secret_token,
})

const citizenWho = ({ citizens }: CreatedSandbox, behavior: BootstrapCitizen['behavior']) =>
  citizens.find((citizen) => citizen.behavior === behavior)!

async function asCitizen(
  { citizen_url }: CreatedSandbox,
  { token }: BootstrapCitizen,
  route: Route,
  values: Values,
): Promise<Record<string, string>> {
  const path = new URL(citizen_url).pathname + route.path
  const body = await sendFirst({ ...route, path }, values, { Authorization: `Bearer ${token}` })
  return body as Record<string, string>
}

/** A QR value on the phone of a citizen who does so with requests. */
async function newQrValue(sandbox: CreatedSandbox, behavior: BootstrapCitizen['behavior'], purpose: string) {
  const route = routes['citizen-app'].issueQrCode
  const { qr_value } = await asCitizen(sandbox, citizenWho(sandbox, behavior), route, { purpose })
  return qr_value!
}

async function newTrackingNo(sandbox: CreatedSandbox, behavior: BootstrapCitizen['behavior']) {
  const qr_value = await newQrValue(sandbox, behavior, 'inquire')
  const route = routes.partner.requestAuthorization
  const { data } = await sendFirst(route, { qr_value }, credentialsOf(sandbox))
  return (data as { tracking_no: string }).tracking_no
}

async function newTokenRequest(sandbox: CreatedSandbox): Promise<Values> {
  const { partner_code, partner_secret } = sandbox.partner
  const route = routes['citizen-app'].issueExchangeCode
  const { exchange_code } = await asCitizen(sandbox, citizenWho(sandbox, 'accepts'), route, { partner_code })
  return { partner_code, partner_secret, exchange_code: exchange_code!, scope: 'SSO_AUTHENTICATION' }
}

/** By operation. One that needs no value has no entry. */
export const freshValues: Partial<Record<PartnerOperation, (sandbox: CreatedSandbox) => Promise<Values>>> = {
  requestAuthorization: async (sandbox) => ({ qr_value: await newQrValue(sandbox, 'manual', 'inquire') }),
  inquire: async (sandbox) => ({ tracking_no: await newTrackingNo(sandbox, 'accepts') }),
  profileByQr: async (sandbox) => ({ qr_value: await newQrValue(sandbox, 'accepts', 'share') }),
  cancelAuthorization: async (sandbox) => ({ tracking_no: await newTrackingNo(sandbox, 'manual') }),
  readDiagnosis: async (sandbox) => {
    // A refusal to explain: no citizen has this code.
    const values = { ...(await newTokenRequest(sandbox)), exchange_code: 'mistyped' }
    const { headers } = await send(routes.partner.generateToken, values, {})
    return { request_id: headers.get('X-Request-Id')! }
  },
  generateToken: newTokenRequest,
  authenticate: async (sandbox) => {
    const { access_token } = await sendFirst(routes.partner.generateToken, await newTokenRequest(sandbox), {})
    return { access_token: String(access_token) }
  },
}

/** What the request of an operation carries in its headers. */
export function headersOf(
  id: PartnerOperation,
  sandbox: CreatedSandbox,
  values: Values,
): Record<string, string> {
  if (id === 'generateToken') return {}
  if (id === 'authenticate') return { Authorization: `Bearer ${values['access_token']}` }
  // The citizen accepts within a second.
  return { ...credentialsOf(sandbox), ...(id === 'inquire' && { Prefer: 'wait=25' }) }
}
