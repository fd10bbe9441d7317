import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { locate } from '@tiwala/kit/operations'
import { expect, inject, test } from 'vitest'
import { prepareDrain } from '../../../src/http/process/drain.ts'
import { freePort, startService } from '../../../src/testing/start-service.ts'
import { createApiClient } from '../../kit/api-client.ts'
import { requestText, sendRaw } from '../../kit/raw-http.ts'

const DRAIN_MS = 1_500

test('200, 503: a draining server is not ready, answers each connection once, and ends', async () => {
  const operatorAddress = `127.0.0.1:${await freePort()}`
  const service = await startService(inject('postgres'), { TIWALA_OPERATOR_ADDRESS: operatorAddress })
  const api = await createApiClient(service.url)
  const trackingNo = await api.createPendingRecord()
  const startedAtMs = performance.now()
  const waiting = api
    .inquire(trackingNo, { Prefer: 'wait=20' })
    .then((response) => ({ response, atMs: performance.now() }))
  await expect.poll(() => service.waiting()).toBe(1)
  const kept = connect(Number(new URL(service.url).port), '127.0.0.1')
  const sendOnKept = async () => {
    kept.write(requestText('GET', '/healthz', { Connection: 'keep-alive' }))
    return String(await Promise.race([once(kept, 'data'), once(kept, 'close')]))
  }
  expect(await sendOnKept()).toContain('Connection: keep-alive')
  const closed = service.close(DRAIN_MS)
  const get = async (path: string, headers = {}, origin = service.url) =>
    (await sendRaw(origin, requestText('GET', path, { ...headers, Connection: 'keep-alive' }))).response!
  const [operatorReady, ready, alive, inquired] = await Promise.all([
    get('/readyz', {}, `http://${operatorAddress}`),
    get('/readyz'),
    get('/healthz'),
    get(`${locate('inquire').path}?tracking_no=${trackingNo}`, api.asPartner),
  ])
  expect([operatorReady.status, ready.status, alive.status, inquired.status]).toEqual([503, 503, 200, 200])
  for (const { headers } of [operatorReady, ready, alive, inquired])
    expect(headers['connection']).toBe('close')
  // The other responses have not closed a connection that is idle: its client may be about to send.
  expect(await sendOnKept()).toContain('Connection: close')
  const { response, atMs } = await waiting
  expect([response.status, response.headers.get('connection')]).toEqual([200, 'close'])
  expect(atMs - startedAtMs).toBeGreaterThanOrEqual(DRAIN_MS)
  await closed
  for (const origin of [service.url, `http://${operatorAddress}`])
    expect((await sendRaw(origin, requestText('GET', '/healthz'))).response).toBeUndefined()
})

test('a connection that has sent no request does not delay the end', async () => {
  const service = await startService(inject('postgres'))
  const unused = connect(Number(new URL(service.url).port), '127.0.0.1')
  await new Promise((resolve) => unused.once('connect', resolve))
  // The server accepts connections in order, so it knows the first one when it responds to the second one.
  await fetch(`${service.url}/healthz`)
  const startedAtMs = performance.now()
  await service.close()
  expect(performance.now() - startedAtMs).toBeLessThan(9_000)
})

test('idle connections end before the listening socket closes, since connections arrive meanwhile', async () => {
  const server = createServer((_request, response) => response.end())
  const { drain } = prepareDrain(server)
  const accepted: Socket[] = []
  server.on('connection', (socket) => accepted.push(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.write(requestText('GET', '/', { Connection: 'keep-alive' }))
  await once(client, 'data')
  const areEnded: boolean[] = []
  const close = server.close.bind(server)
  server.close = (callback) => {
    areEnded.push(...accepted.map(({ destroyed }) => destroyed))
    return close(callback)
  }
  await drain()
  expect(areEnded).toEqual([true])
})
