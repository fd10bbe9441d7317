import type { Sandbox } from '../state/private-sandbox.ts'

type Init = { method?: string; headers?: Record<string, string>; body?: string | FormData }

export type LabOptions = {
  baseUrl: string
  sandbox: Sandbox
  citizenToken: string
  fetch: (request: Request) => Promise<Response>
  /** Sends a GET request as a page of another origin. */
  sendFromOtherOrigin: (path: string, headers: Record<string, string>) => Promise<Response>
}

/** What a provocation needs: raw requests of the partner and of the citizen, and the controls. */
export type Lab = ReturnType<typeof createLab>

export function createLab({ baseUrl, sandbox, citizenToken, fetch, sendFromOtherOrigin }: LabOptions) {
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
    if (!response.ok) throw new Error(`A step before the error failed: ${response.status}`)
    return (await response.json()) as Body
  }
  async function asCitizen<Body>(path: string, body?: object): Promise<Body> {
    const { headers, ...init } = body ? json(body) : { headers: {} }
    const authorization = { Authorization: `Bearer ${citizenToken}` }
    return read(
      await send(`/citizen/v1${path}`, {
        method: 'POST',
        ...init,
        headers: { ...headers, ...authorization },
      }),
    )
  }
  const issueQr = async (purpose: 'inquire' | 'share') =>
    (await asCitizen<{ qr_value: string }>('/qr-codes', { purpose })).qr_value
  const request = (qrValue: string) =>
    asPartner('/api/pub/request_authorization', { method: 'POST', ...json({ qr_value: qrValue }) })
  const inquire = (trackingNo: string) => asPartner(`/api/pub/inquire?tracking_no=${trackingNo}`)
  const generateToken = (fields: Record<string, string>) =>
    send('/api/token', {
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
      (await read<{ data: { tracking_no: string } }>(await request(await issueQr('inquire')))).data
        .tracking_no,
    answer: (trackingNo: string, answer: 'accept' | 'decline') =>
      asCitizen(`/authorizations/${trackingNo}/${answer}`),
    issueAccessToken: async () => {
      const body = { partner_code: partner.partner_code }
      const { exchange_code } = await asCitizen<{ exchange_code: string }>('/exchange-codes', body)
      return (await read<{ access_token: string }>(await generateToken({ exchange_code }))).access_token
    },
    authenticate: (accessToken?: string) =>
      send('/api/partner/sso_authentication', {
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
