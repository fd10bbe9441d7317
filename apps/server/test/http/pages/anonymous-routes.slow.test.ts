// Routes without credentials are cheap: their responses are built once, and each address has a rate limit.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { locate } from '@tiwala/kit/operations'
import express from 'express'
import { SignJWT } from 'jose'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { Document, parse, stringify } from 'yaml'
import {
  createByteBudget,
  createStaticResponse,
  sendStatic,
} from '../../../src/http/pages/static-response.ts'
import { createLog, logRequests } from '../../../src/http/pipeline/log.ts'
import { createSendFailure } from '../../../src/http/pipeline/send-failure.ts'
import { startService, type TestService } from '../../../src/testing/start-service.ts'
import { createApiClient, refusalOf } from '../../kit/api-client.ts'

/** Far more requests than the limit of one request per second allows. */
const BURST = 12

afterEach(() => vi.restoreAllMocks())

describe('without the limit per address', () => {
  let service: TestService
  beforeAll(async () => void (service = await startService(inject('postgres'))))
  afterAll(() => service.close())
  const read = async (path: string) => (await fetch(service.url + path)).text()

  test('the documents are serialized once, not for each request', async () => {
    for (const path of ['/openapi/partner.json', '/openapi/partner.yaml']) await read(path)
    const [toYaml, toJson] = [vi.spyOn(Document.prototype, 'toString'), vi.spyOn(JSON, 'stringify')]
    const documents = () =>
      toJson.mock.calls.filter(([value]) => typeof value === 'object' && value && 'openapi' in value).length
    for (const path of ['/openapi/partner.json', '/openapi/partner.yaml'])
      for (let count = 0; count < 3; count++) await read(path)
    expect([toYaml.mock.calls.length, documents()]).toEqual([0, 0])
    // Control: the spies count calls.
    stringify({ openapi: '3.1.0' })
    JSON.stringify({ openapi: '3.1.0' })
    expect([toYaml.mock.calls.length, documents()]).toEqual([1, 1])
  })

  test('the YAML and the JSON form contain the same document', async () => {
    for (const name of ['partner', 'citizen-app', 'workbench', 'operator'])
      expect(parse(await read(`/openapi/${name}.yaml`))).toEqual(
        JSON.parse(await read(`/openapi/${name}.json`)),
      )
  })

  test('the sandbox tokens are signed once a day, also for concurrent requests', async () => {
    const sign = vi.spyOn(SignJWT.prototype, 'sign')
    const first = await Promise.all(Array.from({ length: 5 }, () => read('/sandbox/bootstrap.json')))
    const { citizens } = JSON.parse(first[0]!) as { citizens: unknown[] }
    const signatures = sign.mock.calls.length
    expect([new Set(first).size, signatures === 0 || signatures === citizens.length + 2]).toEqual([1, true])
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 23 * 3_600_000)
    expect([await read('/sandbox/bootstrap.json'), sign.mock.calls.length]).toEqual([first[0], signatures])
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 25 * 3_600_000)
    await read('/sandbox/bootstrap.json')
    expect(sign.mock.calls.length).toBe(signatures + citizens.length + 2)
  })

  test('429: the sandbox clock, which notifies every process, moves at most 20 times a second', async () => {
    const moves = Array.from({ length: 200 }, () => fetch(`${service.url}/sandbox/clock`, { method: 'POST' }))
    const refused = (await Promise.all(moves)).find(({ status }) => status === 429)!
    expect(await refusalOf(refused)).toBe('429 rate_limited')
  })

  test('429: one address gets at most an eighth of 64 MiB in a second, and the rest of one response', async () => {
    const nextSecondMs = performance.now() + 1_000
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    // All requests are in the same second, which no other test has used.
    vi.advanceTimersByTime(nextSecondMs)
    let receivedBytes = 0
    const statusOf = async () => {
      const headers = { 'Accept-Encoding': 'identity' }
      const response = await fetch(`${service.url}/openapi/operator.json`, { headers })
      const { byteLength } = await response.arrayBuffer()
      if (response.ok) receivedBytes += byteLength
      return response.status
    }
    while (receivedBytes < 8 * 1024 * 1024) expect(await statusOf()).toBe(200)
    expect(await statusOf()).toBe(429)
  })
})

describe('the limit per address', () => {
  let service: TestService
  beforeAll(
    async () =>
      void (service = await startService(inject('postgres'), { TIWALA_ANONYMOUS_REQUESTS_PER_SECOND: '1' })),
  )
  afterAll(() => service.close())
  const burst = (path: string, init: RequestInit = {}) =>
    Promise.all(Array.from({ length: BURST }, () => fetch(service.url + path, init)))

  test.each([
    '/',
    '/docs',
    '/docs/',
    '/downloads/tiwala-client.tgz',
    '/openapi/partner.json',
    '/openapi/partner.yaml',
    '/sandbox/bootstrap.json',
    '/sandbox/inbox',
    '/sandbox/inbox.json',
    '/sandbox/photos/1.svg',
    '/sandbox/signed-in',
    '/nothing',
    'POST /sandbox/inbox',
    'POST /sandbox/clock',
  ])('429: %s', async (route) => {
    const [path, method] = route.split(' ').toReversed()
    const refused = (await burst(path!, { method: method ?? 'GET' })).find(({ status }) => status === 429)!
    expect([await refusalOf(refused.clone()), refused.headers.get('retry-after')]).toEqual([
      '429 rate_limited',
      '1',
    ])
  })

  test('200, 401: health checks and operations have no limit per address', async () => {
    for (const path of ['/healthz', '/readyz', locate('readPartnerSelf').path]) {
      const statuses = new Set((await burst(path)).map(({ status }) => status))
      expect([path, statuses]).toEqual([path, new Set([path.startsWith('/api') ? 401 : 200])])
    }
  })
})

test('503: pages are rejected under overload like operations; health checks still respond', async () => {
  const service = await startService(inject('postgres'), {
    TIWALA_MAX_IN_FLIGHT: '1',
    TIWALA_MAX_QUEUED: '1',
  })
  const api = await createApiClient(service.url)
  const statusOf = async (path: string) => (await fetch(service.url + path)).status
  const waiting: Promise<Response>[] = []
  await service.db.transaction().execute(async (tx) => {
    await sql`lock table authorization_record in access exclusive mode`.execute(tx)
    for (let count = 0; count < 4; count++) waiting.push(api.inquire('unknown'))
    for (const path of ['/docs', '/openapi/partner.yaml', '/sandbox/inbox', '/sandbox/bootstrap.json'])
      await expect.poll(() => statusOf(path), { interval: 10 }).toBe(503)
    expect([await statusOf('/healthz'), await statusOf('/readyz')]).toEqual([200, 200])
  })
  await Promise.all(waiting)
  expect(await statusOf('/')).toBe(200)
  await service.close()
})

test('503: above the byte budget, no cache may store the error of a page that it may store', async () => {
  const page = await createStaticResponse('text/plain', 'content')
  const app = express()
  app.use(logRequests(createLog('silent')))
  app.use(sendStatic(page, 'public, max-age=300', createByteBudget(1)))
  app.use(createSendFailure('http://localhost'))
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { status, headers } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  server.close()
  expect([status, headers.get('cache-control')]).toEqual([503, 'no-store'])
})

test('429, 503: a byte budget, and the eighth of each address, are renewed each second', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const budget = createByteBudget(800)
  const take = (bytes: number, address: string) => () => budget.take(bytes, address)
  const tooMany = expect.objectContaining({ code: 'rate_limited', headers: { 'Retry-After': '1' } }) as Error
  const busy = expect.objectContaining({ code: 'unavailable', headers: { 'Retry-After': '1' } }) as Error
  for (const second of [1, 2]) {
    expect(take(99, '192.0.2.1')).not.toThrow()
    expect(take(99, '192.0.2.1')).not.toThrow()
    expect(take(1, '192.0.2.1')).toThrow(tooMany)
    for (let host = 2; host <= 7; host++) expect(take(100, `192.0.2.${host}`)).not.toThrow()
    expect(take(3, '192.0.2.8')).toThrow(busy)
    expect(take(2, '192.0.2.9')).not.toThrow()
    vi.advanceTimersByTime(second === 1 ? 999 : 0)
    expect(take(1, '192.0.2.10')).toThrow(busy)
    vi.advanceTimersByTime(1)
  }
})
