// Every response of a deprecated operation says so.
import { type OperationId, routes } from '@tiwala/contract'
import { expect, test } from 'vitest'
import { documents } from '../../../src/contract/documents.ts'
import { startServiceForFile } from '../../kit/api-client.ts'

const NOTICE = { deprecated: true, 'x-deprecated-at': '2027-01-31', 'x-sunset': '2028-02-29' }

/** No operation is deprecated in the spec. The service reads the documents when it starts. */
const operations = (['generateToken', 'readDiagnosis'] as const).map((id) => {
  const { path, method } = routes.partner[id]
  return (documents.partner.paths as unknown as Record<string, Record<string, object>>)[path]![method]!
})
for (const operation of operations) Object.assign(operation, NOTICE)
const { service, api } = await startServiceForFile()
for (const operation of operations as Partial<typeof NOTICE>[])
  for (const name of Object.keys(NOTICE) as (keyof typeof NOTICE)[]) delete operation[name]

const noticeOf = ({ status, headers }: Response) => [
  status,
  headers.get('deprecation'),
  headers.get('sunset'),
]
const DATES = ['@1801353600', 'Tue, 29 Feb 2028 00:00:00 GMT']
const { partner_code, partner_secret } = api.partner
const valid = async () => ({
  partner_code,
  partner_secret,
  exchange_code: await api.issueExchangeCode(),
  scope: 'SSO_AUTHENTICATION',
})
const post = async (body: unknown, headers: Record<string, string> = {}) =>
  fetch(service.url + routes.partner.generateToken.path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

test.each<[number, string, () => Promise<Response>]>([
  [200, 'a success', async () => post(await valid())],
  [400, 'a body that cannot be read', () => post('{')],
  [403, 'a wrong secret', async () => post({ ...(await valid()), partner_secret: 'wrong' })],
  [406, 'an unknown Accept', async () => post(await valid(), { Accept: 'text/html' })],
  [413, 'a body that is too large', () => post({ long: 'x'.repeat(17_000) })],
  [415, 'another type', () => post('text', { 'Content-Type': 'text/plain' })],
  [422, 'no field', () => post({})],
  [
    404,
    'a parameter in the path',
    () => api.send('readDiagnosis', { headers: api.asPartner, path: { request_id: 'req_none' } }),
  ],
])('%i: the days of the deprecation and the end, with %s', async (status, _title, send) => {
  expect(noticeOf(await send())).toEqual([status, ...DATES])
})

test.each<[number, OperationId]>([
  [200, 'readPartnerSelf'],
  [422, 'requestAuthorization'],
])('%i: %s is not deprecated', async (status, id) => {
  expect(noticeOf(await api.send(id, { headers: api.asPartner }))).toEqual([status, null, null])
})

test('405: another method of the path is no operation', async () => {
  const response = await fetch(service.url + routes.partner.generateToken.path)
  expect(noticeOf(response)).toEqual([405, null, null])
})
