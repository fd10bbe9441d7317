// Connections that send as little as possible (slowloris).
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { locate } from '@tiwala/kit/operations'
import { expect, test } from 'vitest'
import { createApiClient } from '../test/kit/api-client.ts'
import { requestText } from '../test/kit/raw-http.ts'
import { startReadyProcess } from '../test/kit/server-process.ts'
import { temporaryDatabase } from '../test/kit/temporary-resources.ts'
import { startLoad, percentile } from './load-generator.ts'
import type { Attack } from './slowloris-worker.ts'

const SOCKETS = 500
const CLOSED_WITHIN_MS = 7_000
const CALLS_PER_SECOND = 40
/** Times below this are equal within the noise. */
const NOISE_MS = 20

const HEADERS = { Connection: 'keep-alive', 'Content-Type': 'application/json', 'Content-Length': 10_000 }
/** The first bytes of a connection, and the byte that follows at intervals. */
const METHODS: Attack['methods'] = {
  nothing: ['', ''],
  headers: ['GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ', 'a'],
  body: [requestText('POST', locate('generateToken').path, HEADERS), ' '],
  'body after the response': [requestText('GET', '/healthz', HEADERS), ' '],
}

/** The longest time that a connection of each method stayed open. */
async function attack(port: number): Promise<Record<string, number>> {
  const workerData: Attack = { port, sockets: SOCKETS, timeoutMs: CLOSED_WITHIN_MS + 3_000, methods: METHODS }
  const [longest] = (await once(
    new Worker(new URL('slowloris-worker.ts', import.meta.url), { workerData }),
    'message',
  )) as [Record<string, number>]
  console.log(
    Object.entries(longest)
      .map(([name, ms]) => `${name}: ${Math.round(ms)} ms`)
      .join(', '),
  )
  return longest
}

test(`${SOCKETS} slow connections are closed within 7 s; others take less than twice as long`, async () => {
  await using database = await temporaryDatabase()
  await using server = await startReadyProcess({
    ...database.settings,
    LOG_LEVEL: 'silent',
  })
  const api = await createApiClient(server.url)
  const trackingNo = await api.createPendingRecord()
  const callWhile = async (act: Promise<unknown>) => {
    const calls = startLoad(() => api.inquire(trackingNo), CALLS_PER_SECOND)
    await act
    await calls.end()
    expect([calls.failures, calls.responses.filter(({ status }) => status !== 200)]).toEqual([[], []])
    return percentile(calls.responses, 99)
  }
  await callWhile(sleep(3_000))
  const aloneMs = await callWhile(sleep(CLOSED_WITHIN_MS))
  const attacking = attack(Number(new URL(server.url).port))
  const besideMs = await callWhile(attacking)
  console.log(`p99 alone ${aloneMs.toFixed(1)} ms, beside them ${besideMs.toFixed(1)} ms`)
  for (const [name, ms] of Object.entries(await attacking))
    expect([name, ms < CLOSED_WITHIN_MS]).toEqual([name, true])
  expect(besideMs).toBeLessThan(2 * Math.max(aloneMs, NOISE_MS))
})

test('control: a server without timeouts keeps the connections open', async () => {
  const server = createServer(
    { headersTimeout: 0, requestTimeout: 0 },
    (_req, res) => void setTimeout(() => res.end(), 60_000).unref(),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const longest = await attack((server.address() as AddressInfo).port)
  server.closeAllConnections()
  server.close()
  for (const ms of Object.values(longest)) expect(ms).toBeGreaterThan(CLOSED_WITHIN_MS)
})
