// `/metrics` of the operator's address: what it counts, and that it names no partner and no citizen.
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { freePort, startService, type TestService } from '../../src/testing/start-service.ts'
import { createApiClient, locate } from '../kit/api-client.ts'

let service: TestService
let operatorOrigin: string
let api: Awaited<ReturnType<typeof createApiClient>>
beforeAll(async () => {
  const address = `127.0.0.1:${await freePort()}`
  operatorOrigin = `http://${address}`
  service = await startService(inject('postgres'), { TIWALA_OPERATOR_ADDRESS: address })
  api = await createApiClient(service.url)
})
afterAll(() => service.close())

const scrape = async () => (await fetch(`${operatorOrigin}/metrics`)).text()
/** The value of a line such as `name{label="value"} 3`; 0 if there is none. */
const valueOf = (text: string, line: string) =>
  Number(
    text
      .split('\n')
      .find((each) => each.startsWith(`${line} `))
      ?.slice(line.length + 1) ?? 0,
  )

const REFUSED = 'tiwala_requests_total{operation="readPartnerSelf",status="4xx",error="credentials_invalid"}'
const readSelf = (origin: string, secretToken: string) =>
  fetch(origin + locate('readPartnerSelf').path, {
    headers: { 'X-Secret-Code': api.partner.secret_code, 'X-Secret-Token': secretToken },
  })

test('requests are counted by operation, status class and error code', async () => {
  const SERVED = 'tiwala_requests_total{operation="readPartnerSelf",status="2xx",error=""}'
  const before = await scrape()
  await readSelf(service.url, api.partner.secret_token)
  await readSelf(service.url, 'twt_test_wrong')
  await expect.poll(async () => valueOf(await scrape(), REFUSED) - valueOf(before, REFUSED)).toBe(1)
  const after = await scrape()
  expect(valueOf(after, SERVED) - valueOf(before, SERVED)).toBe(1)
  const COUNT = 'tiwala_request_duration_seconds_count{operation="readPartnerSelf"}'
  expect(valueOf(after, COUNT) - valueOf(before, COUNT)).toBe(2)
})

test('every metric is there, with few values and no data of partners and citizens', async () => {
  const citizen = api.citizens[0]!
  await api.send('issueQrCode', {
    headers: { Authorization: `Bearer ${citizen.token}` },
    json: { purpose: 'inquire' },
  })
  await expect.poll(async () => (await scrape()).includes('tiwala_audit_events_total{kind=')).toBe(true)
  const text = await scrape()
  const names = [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name)
  expect(names).toEqual(expect.arrayContaining(EXPECTED))
  expect(text).not.toContain(citizen.uniqid)
  expect(text).not.toContain(api.partner.partner_code)
  expect(text).toMatch(/^tiwala_database_connections\{state="in_use"\} \d+$/m)
  expect(text.split('\n').length).toBeLessThan(400)
})

const EXPECTED = `
  requests_total request_duration_seconds shed_requests_total requests_in_flight requests_queued
  waiting_requests database_connections database_batch_inputs database_statement_duration_seconds
  audit_events_total audit_unsealed_seconds webhook_attempts_total webhook_events
  webhook_oldest_pending_seconds expiring_secrets key_age_seconds`
  .trim()
  .split(/\s+/)
  .map((name) => `tiwala_${name}`)

test('404: the public address has no metrics', async () => {
  expect((await fetch(`${service.url}/metrics`)).status).toBe(404)
})
