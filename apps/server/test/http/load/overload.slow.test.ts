// More requests than slots, and a database that does not respond.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { startService } from '../../../src/testing/start-service.ts'
import { assertErrorShape, createApiClient } from '../../kit/api-client.ts'
import { openNetworkProxy } from '../../kit/network-proxy.ts'
import { temporaryFolder } from '../../kit/temporary-resources.ts'

const ANSWER_WITHIN_MS = 1_500
/** Generous, for a busy machine. stress/slow-database.test.ts has the strict limit. */
const IN_TIME_MS = 20_000
const SETTINGS = {
  TIWALA_MAX_IN_FLIGHT: '2',
  TIWALA_MAX_QUEUED: '1',
  TIWALA_MAX_QUEUED_MS: '100',
  TIWALA_REQUEST_DEADLINE_MS: String(ANSWER_WITHIN_MS),
}
const WAITING = 20

/** The response of a request, its body, and its duration. */
async function timed(call: Promise<Response>) {
  const startedAtMs = performance.now()
  const response = await call
  return { response, body: await response.json(), tookMs: performance.now() - startedAtMs }
}

test('503: without a database every response has Retry-After and is in time; nothing is used', async () => {
  await using network = await openNetworkProxy(inject('postgres').url)
  await using folder = await temporaryFolder()
  const service = await startService({ kind: 'postgres', url: network.url, logFolder: folder.path }, SETTINGS)
  const api = await createApiClient(service.url)
  const [token, qrValue, trackingNo] = [
    await api.issueAccessToken(),
    await api.issueQrValue('share'),
    await api.createPendingRecord(),
  ]
  const calls = [
    () => api.signIn(token),
    () => api.viewByQr(qrValue),
    ...Array.from({ length: 4 }, () => () => api.inquire(trackingNo)),
  ]

  network.blackhole()
  const refused = Promise.all(calls.map((call) => timed(call())))
  const [alive, ready] = await Promise.all(
    ['healthz', 'readyz'].map((path) => timed(fetch(`${service.url}/${path}`))),
  )
  expect([alive!.response.status, ready!.response.status]).toEqual([200, 503])
  expect(ready!.tookMs).toBeLessThan(IN_TIME_MS)
  for (const { response, body, tookMs } of await refused) {
    assertErrorShape(body)
    expect([response.status, body.error, Number(response.headers.get('retry-after'))]).toEqual([
      503,
      'unavailable',
      expect.toSatisfy((s) => s >= 1),
    ])
    expect(tookMs).toBeLessThan(IN_TIME_MS)
  }
  // Two requests had slots and one was queued. The others were refused at once.
  expect((await refused).filter(({ tookMs }) => tookMs < ANSWER_WITHIN_MS).length).toBeGreaterThanOrEqual(3)

  network.resume()
  await expect.poll(async () => (await api.inquire(trackingNo)).status, { timeout: 60_000 }).toBe(200)
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
  expect([(await api.signIn(token)).status, (await api.viewByQr(qrValue)).status]).toEqual([200, 200])
  network.closeLostConnections()
  await service.close()

  const log = (await readFile(join(folder.path, (await readdir(folder.path))[0]!), 'utf8')).trim().split('\n')
  const refusals = log
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ error }) => error === 'unavailable')
  // Load shedding is logged at warn and is not a fault.
  expect(refusals.filter(({ level }) => level === 'warn').length).toBeGreaterThanOrEqual(3)
  for (const { level, fault } of refusals) expect(level === 'warn').toBe(fault === undefined)
})

test(`200: ${WAITING} waiting requests hold no slot, and each gets one after all wake at once`, async () => {
  const service = await startService(inject('postgres'), {
    ...SETTINGS,
    TIWALA_MAX_QUEUED: '0',
    TIWALA_REQUEST_DEADLINE_MS: '10000',
  })
  const api = await createApiClient(service.url)
  const trackingNo = await api.createPendingRecord()
  const responses: Promise<Response>[] = []
  for (let waiting = 1; waiting <= WAITING; waiting++) {
    responses.push(api.inquire(trackingNo, { Prefer: 'wait=20' }))
    await expect.poll(() => service.waiting(), { interval: 2 }).toBe(waiting)
    // Each request reads the record once before it waits.
    await expect.poll(async () => (await api.inquire(trackingNo)).status, { interval: 2 }).toBe(200)
  }
  await service.advance(1)
  // A new request is refused while no slot is free.
  await expect
    .poll(async () => (await api.accept(trackingNo)).status, { interval: 10, timeout: 60_000 })
    .toBe(200)
  const states = (await Promise.all(responses)).map(
    ({ status, headers }) => `${status} ${headers.get('x-authorization-state')}`,
  )
  expect(new Set(states)).toEqual(new Set(['200 ACCEPTED']))
  await service.close()
})
