import type { OperationId, Schemas, Success } from '@tiwala/contract'
import partnerDocument from '@tiwala/contract/partner.json' with { type: 'json' }
import { basePathOf, type RequestOptions, send as sendTo } from '@tiwala/kit/operations'
import { bearer, operatorApi, secretHeaders } from '@tiwala/kit/users'
import addFormats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, expect, inject } from 'vitest'
import type { Bootstrap } from '../../src/sandbox/bootstrap-format.ts'
import { freePort, startService } from '../../src/testing/start-service.ts'

export type ApiClient = Awaited<ReturnType<typeof createApiClient>>

/**
 * A client for all users of a sandbox, by default of the shared one. The first citizen has a passport and
 * does not respond automatically.
 */
export async function createApiClient(url: string, own?: Bootstrap) {
  const bootstrap = own ?? ((await (await fetch(`${url}/sandbox/bootstrap.json`)).json()) as Bootstrap)
  const { partner, citizens } = bootstrap
  const asPartner = secretHeaders(partner)
  const asCitizen = bearer(citizens[0]!.token)
  const asOperator = bearer(bootstrap.operator_token!)

  const send = (id: OperationId, options?: RequestOptions) => sendTo(url, id, options)
  const issueQrValue = async (purpose: 'inquire' | 'share', headers = asCitizen) =>
    (await readOk<'issueQrCode'>(send('issueQrCode', { headers, json: { purpose } }))).qr_value
  const request = (qr_value: string) =>
    send('requestAuthorization', { headers: asPartner, json: { qr_value } })
  const inquire = (tracking_no: string, headers: Record<string, string> = {}) =>
    send('inquire', { headers: { ...asPartner, ...headers }, query: { tracking_no } })
  const viewByQr = (qr_value: string) => send('profileByQr', { headers: asPartner, query: { qr_value } })
  const accept = (tracking_no: string, headers = asCitizen) =>
    send('acceptAuthorization', { headers, path: { tracking_no } })
  const createPendingRecord = async (headers = asCitizen) => {
    const requested = request(await issueQrValue('inquire', headers))
    return (await readOk<'requestAuthorization'>(requested)).data.tracking_no
  }
  const issueExchangeCode = async (headers = asCitizen) => {
    const json = { partner_code: partner.partner_code }
    return (await readOk<'issueExchangeCode'>(send('issueExchangeCode', { headers, json }))).exchange_code
  }
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
    (await readOk<'generateToken'>(redeemExchangeCode(await issueExchangeCode(headers)))).access_token
  const signIn = (token: string) => send('authenticate', { headers: bearer(token) })

  return {
    ...bootstrap,
    asPartner,
    asCitizen,
    asOperator,
    operator: operatorApi(url + basePathOf('operator'), bootstrap.operator_token!),
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

async function readOk<Id extends OperationId>(pendingResponse: Promise<Response>): Promise<Success<Id>> {
  const response = await pendingResponse
  if (!response.ok) throw new Error(`request failed: ${response.status} ${await response.text()}`)
  return (await response.json()) as Success<Id>
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
