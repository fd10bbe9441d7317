import { routes } from '@tiwala/contract'
import { partnerRoutes } from '@tiwala/contract/partner'
import type { CreatedSandbox } from '@tiwala/server/sandbox-bootstrap'
import { TiwalaError } from '@tiwala/transport'

/** The paths of the partner API, for the provocations. */
export const PATHS = {
  request: partnerRoutes.requestAuthorization.path,
  inquire: partnerRoutes.inquire.path,
  self: partnerRoutes.readPartnerSelf.path,
}
const CITIZEN_PATHS = routes['citizen-app']

type Requested = { data: { tracking_no: string } }
type Init = { method?: string; headers?: Record<string, string>; body?: string | FormData }

export type RawClientOptions = {
  baseUrl: string
  sandbox: CreatedSandbox
  citizenToken: string
  fetch: (request: Request) => Promise<Response>
  /** Sends a GET request as a page of another origin. */
  sendFromOtherOrigin: (path: string, headers: Record<string, string>) => Promise<Response>
}

/** What a provocation needs: raw requests of the partner and of the citizen, and the controls. */
export type RawClient = ReturnType<typeof createRawClient>

export function createRawClient({
  baseUrl,
  sandbox,
  citizenToken,
  fetch,
  sendFromOtherOrigin,
}: RawClientOptions) {
  const { partner, sandbox_id } = sandbox
  const secrets = { 'X-Secret-Code': partner.secret_code, 'X-Secret-Token': partner.secret_token }
  const json = (body: object) => ({
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json' },
  })
  const send = (path: string, init: Init = {}) => fetch(new Request(baseUrl + path, init))
  const asPartner = (path: string, { headers, ...init }: Init = {}) =>
    send(path, { ...init, headers: { ...secrets, ...headers } })

  async function read<Body>(response: Response): Promise<Body> {
    const body: unknown = await response.json().catch(() => undefined)
    if (!response.ok || !body) throw new TiwalaError(response, body, false)
    return body as Body
  }
  async function asCitizen<Body>(path: string, body?: object): Promise<Body> {
    const { headers, ...init } = body ? json(body) : { headers: {} }
    const authorization = { Authorization: `Bearer ${citizenToken}` }
    return read(
      await send(new URL(sandbox.citizen_url).pathname + path, {
        method: 'POST',
        ...init,
        headers: { ...headers, ...authorization },
      }),
    )
  }
  const issueQr = async (purpose: 'inquire' | 'share') =>
    (await asCitizen<{ qr_value: string }>(CITIZEN_PATHS.issueQrCode.path, { purpose })).qr_value
  /** The tracking numbers of the records that still wait for the citizen. */
  const pending = new Set<string>()
  const request = async (qrValue: string) => {
    const response = await asPartner(PATHS.request, { method: 'POST', ...json({ qr_value: qrValue }) })
    if (response.ok) pending.add(((await response.clone().json()) as Requested).data.tracking_no)
    return response
  }
  const answer = async (path: string, trackingNo: string) => {
    await asCitizen(path.replace('{tracking_no}', trackingNo))
    pending.delete(trackingNo)
  }
  const cancel = (trackingNo: string) =>
    asPartner(partnerRoutes.cancelAuthorization.path.replace('{tracking_no}', trackingNo), {
      method: 'DELETE',
    })
  const inquire = (trackingNo: string) => asPartner(`${PATHS.inquire}?tracking_no=${trackingNo}`)
  const generateToken = (fields: Record<string, string>) =>
    send(partnerRoutes.generateToken.path, {
      method: 'POST',
      ...json({
        partner_code: partner.partner_code,
        partner_secret: partner.partner_secret,
        scope: 'SSO_AUTHENTICATION',
        ...fields,
      }),
    })
  const ownPath = (path: string) => `/sandbox/${sandbox_id}${path}`

  return {
    send,
    asPartner,
    asOtherOrigin: (path: string) => sendFromOtherOrigin(path, secrets),
    issueQr,
    request,
    inquire,
    generateToken,
    /** A new pending record. */
    requestPending: async () =>
      (await read<Requested>(await request(await issueQr('inquire')))).data.tracking_no,
    accept: (trackingNo: string) => answer(CITIZEN_PATHS.acceptAuthorization.path, trackingNo),
    decline: (trackingNo: string) => answer(CITIZEN_PATHS.declineAuthorization.path, trackingNo),
    cancel,
    /** Cancels the records that a provocation leaves pending: a citizen can have only a few of them. */
    cancelPending: async () => {
      for (const trackingNo of pending) await cancel(trackingNo)
      pending.clear()
    },
    issueAccessToken: async () => {
      const body = { partner_code: partner.partner_code }
      const { exchange_code } = await asCitizen<{ exchange_code: string }>(
        CITIZEN_PATHS.issueExchangeCode.path,
        body,
      )
      return (await read<{ access_token: string }>(await generateToken({ exchange_code }))).access_token
    },
    authenticate: (accessToken?: string) =>
      send(partnerRoutes.authenticate.path, {
        method: 'POST',
        headers: accessToken === undefined ? {} : { Authorization: `Bearer ${accessToken}` },
      }),
    advance: async (seconds: number) =>
      read(await send(ownPath('/clock'), { method: 'POST', ...json({ advance_seconds: seconds }) })),
    readAdvance: async () =>
      (await read<{ advanced_seconds: number }>(await send(ownPath('')))).advanced_seconds,
    setCondition: async (condition: string) =>
      read(await send(ownPath('/condition'), { method: 'PUT', ...json({ condition }) })),
  }
}
