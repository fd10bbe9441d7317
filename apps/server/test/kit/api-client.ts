import { type DocumentName, type OperationId, routes, type Schemas } from '@tiwala/contract'
import partnerDocument from '@tiwala/contract/partner.json' with { type: 'json' }
import addFormats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, expect, inject } from 'vitest'
import { basePathOf } from '../../src/contract/documents.ts'
import type { Bootstrap } from '../../src/sandbox/bootstrap-format.ts'
import { freePort, startService } from '../../src/testing/start-service.ts'

/** Method and path of an operation on the server, from its document. */
export function locate(id: OperationId): { method: string; path: string } {
  const document = (Object.keys(routes) as DocumentName[]).find((name) => id in routes[name])!
  const { method, path } = (routes[document] as Record<string, { method: string; path: string }>)[id]!
  return { method: method.toUpperCase(), path: basePathOf(document) + path }
}

export const operationIds = Object.values(routes).flatMap((table) => Object.keys(table)) as OperationId[]

type RequestOptions = RequestInit & {
  query?: Record<string, string> | string
  path?: Record<string, string>
  json?: unknown
}
export type ApiClient = Awaited<ReturnType<typeof createApiClient>>

/**
 * A client for all users of a sandbox, by default of the shared one. The first citizen has a passport and
 * does not respond automatically.
 */
export async function createApiClient(url: string, own?: Bootstrap) {
  const bootstrap = own ?? ((await (await fetch(`${url}/sandbox/bootstrap.json`)).json()) as Bootstrap)
  const { partner, citizens } = bootstrap
  const asPartner = { 'X-Secret-Code': partner.secret_code, 'X-Secret-Token': partner.secret_token }
  const asCitizen = { Authorization: `Bearer ${citizens[0]!.token}` }
  const asOperator = { Authorization: `Bearer ${bootstrap.operator_token}` }

  function send(id: OperationId, { query, path, json, ...init }: RequestOptions = {}): Promise<Response> {
    const to = locate(id)
    const filled = to.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(path?.[name] ?? 'unknown'),
    )
    const queryText = typeof query === 'string' ? query : String(new URLSearchParams(query))
    const body =
      json === undefined
        ? {}
        : {
            body: JSON.stringify(json),
            headers: { 'Content-Type': 'application/json', ...(init.headers as Record<string, string>) },
          }
    return fetch(`${url}${filled}${queryText && `?${queryText}`}`, { method: to.method, ...init, ...body })
  }

  const issueQrValue = async (purpose: 'inquire' | 'share', headers = asCitizen) =>
    ((await readOk(send('issueQrCode', { headers, json: { purpose } }))) as Schemas['QrCode']).qr_value
  const request = (qr_value: string) =>
    send('requestAuthorization', { headers: asPartner, json: { qr_value } })
  const inquire = (tracking_no: string, headers: Record<string, string> = {}) =>
    send('inquire', { headers: { ...asPartner, ...headers }, query: { tracking_no } })
  const viewByQr = (qr_value: string) => send('profileByQr', { headers: asPartner, query: { qr_value } })
  const accept = (tracking_no: string, headers = asCitizen) =>
    send('acceptAuthorization', { headers, path: { tracking_no } })
  const createPendingRecord = async (headers = asCitizen) =>
    (
      (await readOk(request(await issueQrValue('inquire', headers)))) as {
        data: Schemas['PendingAuthorization']
      }
    ).data.tracking_no
  const issueExchangeCode = async (headers = asCitizen) =>
    (
      (await readOk(
        send('issueExchangeCode', { headers, json: { partner_code: partner.partner_code } }),
      )) as Schemas['ExchangeCode']
    ).exchange_code
  const redeemExchangeCode = (exchange_code: string) =>
    send('generateToken', {
      json: {
        partner_code: partner.partner_code,
        partner_secret: partner.partner_secret,
        scope: 'SSO_AUTHENTICATION',
        exchange_code,
      },
    })
  const issueAccessToken = async (headers = asCitizen) =>
    ((await readOk(redeemExchangeCode(await issueExchangeCode(headers)))) as { access_token: string })
      .access_token
  const signIn = (token: string) => send('authenticate', { headers: { Authorization: `Bearer ${token}` } })

  return {
    ...bootstrap,
    asPartner,
    asCitizen,
    asOperator,
    send,
    issueQrValue,
    request,
    inquire,
    viewByQr,
    accept,
    createPendingRecord,
    issueExchangeCode,
    redeemExchangeCode,
    issueAccessToken,
    signIn,
  }
}

/** For the top level of a test file: starts a service, and closes it after the last test of the file. */
export async function startServiceForFile(settings?: Record<string, string>) {
  const starting = startService(inject('postgres'), settings)
  afterAll(async () => (await starting).close())
  const service = await starting
  return { service, api: await createApiClient(service.url) }
}

/** Like `startServiceForFile`, with the operator API at an address of its own. */
export async function startServiceWithOperatorAddress(settings?: Record<string, string>) {
  const address = `127.0.0.1:${await freePort()}`
  const started = await startServiceForFile({ ...settings, TIWALA_OPERATOR_ADDRESS: address })
  return { ...started, operatorOrigin: `http://${address}` }
}

async function readOk(pendingResponse: Promise<Response>): Promise<unknown> {
  const response = await pendingResponse
  if (!response.ok) throw new Error(`request failed: ${response.status} ${await response.text()}`)
  return response.json()
}

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
const isError = ajv
  .addSchema(partnerDocument, 'https://contract.invalid/partner')
  .compile<Schemas['Error']>({ $ref: 'https://contract.invalid/partner#/components/schemas/Error' })

/** Asserts the common error shape, without internal details. */
export function assertErrorShape(body: unknown): asserts body is Schemas['Error'] {
  if (!isError(body))
    throw new Error(`not the common error shape: ${ajv.errorsText(isError.errors)}: ${JSON.stringify(body)}`)
  if (/ {4}at |node_modules|file:\/\//.test(JSON.stringify(body)))
    throw new Error('the body contains a stack trace')
}

/** Returns `status code` after a check of the error schema. */
export async function refusalOf(pendingResponse: Promise<Response> | Response): Promise<string> {
  const response = await pendingResponse
  const body: unknown = await response.json()
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  assertErrorShape(body)
  expect([body.status, body.request_id]).toEqual([response.status, response.headers.get('x-request-id')])
  return `${response.status} ${body.error}`
}
