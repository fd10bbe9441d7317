// The Postman collection and the HTTP file: their requests as they are, with the variables that a reader fills.
import { partnerRoutes } from '@tiwala/contract/partner'
import { expect, test } from 'vitest'
import { refusal, startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile()
const partner = await service.partner()
const citizen = await service.citizen()
const read = async (name: string) => (await fetch(`${service.url}/openapi/${name}`)).text()

type Values = Record<string, string>
const fill = (text: string, values: Values) =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (_all, name: string) => values[name] ?? `missing ${name}`)

/** Sends a request of the HTTP file. */
function send(text: string): Promise<Response> {
  const [head, body] = text.split('\n\n')
  const [line, ...fields] = head!.trim().split('\n')
  const [method, url] = line!.split(' ')
  const headers = fields.map((field) => field.split(': ') as [string, string])
  return fetch(url!, { method: method!, headers, ...(method === 'POST' && body && { body }) })
}

test('200: each request of the HTTP file works after its variables are filled', async () => {
  const [top, ...requests] = (await read('partner.http')).split(/^### /m)
  const own = Object.fromEntries(
    [...top!.matchAll(/^@(\w+) = (.*)$/gm)].map(([, name, value]) => [name!, value!]),
  )
  expect(own['baseUrl']).toBe(service.url)
  const error = await refusal(partner.profiles.inquire('0'.repeat(26)))
  const given: Values = { ...own, ...partner.credentials, request_id: error.requestId! }
  const statuses: [string, number][] = []
  for (const request of requests) {
    const [name] = request.split('\n')
    given['qr_value'] = await citizen.showQr(name === 'Profile by QR value' ? 'share' : 'inquire')
    if (name === 'Generate an access token') given['exchange_code'] = await citizen.exchangeCode(partner.code)
    const response = await send(fill(request.slice(name!.length + 1), given))
    const body = (await response.json()) as { data?: Values; access_token?: string }
    if (name === 'Request authorization') given['tracking_no'] = body.data!['tracking_no']!
    given['access_token'] = body.access_token ?? given['access_token']!
    statuses.push([name!, response.status])
  }
  expect(statuses.filter(([, status]) => status !== 200)).toEqual([])
  expect(statuses).toHaveLength(Object.keys(partnerRoutes).length)
})

test('200: the Postman collection has the address of this server, and no credential or random id', async () => {
  const text = await read('partner.postman_collection.json')
  expect(text).toContain(`{"key":"baseUrl","value":"${service.url}"}`)
  expect(text).not.toMatch(/tw[cts]_|_postman_id|"id":/)
  expect([...text.matchAll(/"method":/g)]).toHaveLength(Object.keys(partnerRoutes).length)
  expect(text).toContain("pm.collectionVariables.set('tracking_no', response.data?.tracking_no)")
})
