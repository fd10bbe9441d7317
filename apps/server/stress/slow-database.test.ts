// A slow database, at twice the load that it can process.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createApiClient } from '../test/kit/api-client.ts'
import { FAST, openNetworkProxy } from '../test/kit/network-proxy.ts'
import { startReadyProcess } from '../test/kit/server-process.ts'
import { temporaryDatabase } from '../test/kit/temporary-resources.ts'
import { type ResponseResult, startLoad, measureCapacity, percentile } from './load-generator.ts'

const SLOW = { bytesPerSecond: 120_000, delayMs: 20 }
const CALLERS = 16
const OVERLOAD_MS = 25_000
/** The time until every request from the slow phase has ended. */
const RECOVERY_MS = 5_000
const AFTER_MS = 5_000

const SILENT_MS = 8_000

/** Limits as in production. */
const BOUNDED = {
  TIWALA_MAX_IN_FLIGHT: '100',
  TIWALA_MAX_QUEUED_MS: '500',
  TIWALA_REQUEST_DEADLINE_MS: '1000',
}
const UNBOUNDED = {
  TIWALA_MAX_IN_FLIGHT: '1000000',
  TIWALA_MAX_QUEUED_MS: '1000000',
  TIWALA_REQUEST_DEADLINE_MS: '1000000',
}

/** A server that reaches its database through a proxy, and a request to it that needs the database. */
async function startBehindProxy(settings: Record<string, string>) {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await temporaryDatabase())
  const network = stack.use(await openNetworkProxy(database.url))
  const server = stack.use(
    await startReadyProcess({
      ...settings,
      ...database.settings,
      DATABASE_URL: network.url,
      LOG_LEVEL: 'silent',
    }),
  )
  const api = await createApiClient(server.url)
  const trackingNo = await api.createPendingRecord()
  await api.accept(trackingNo)
  const call = () => api.inquire(trackingNo)
  await measureCapacity(call, CALLERS, 2_000)
  const started = stack.move()
  return { network, call, [Symbol.asyncDispose]: () => started.disposeAsync() }
}

async function overload(settings: Record<string, string>) {
  await using started = await startBehindProxy(settings)
  const { network, call } = started
  network.setLink(SLOW)
  await measureCapacity(call, CALLERS, 2_000)
  const capacity = await measureCapacity(call, CALLERS, 5_000)
  const calls = startLoad(call, 2 * capacity)
  const startedAtMs = performance.now()
  await sleep(OVERLOAD_MS)
  network.setLink(FAST)
  const fastAtMs = performance.now()
  await sleep(RECOVERY_MS + AFTER_MS)
  await calls.end()
  const sentBetween = (fromMs: number, untilMs: number) =>
    calls.responses.filter(({ atMs }) => atMs >= fromMs && atMs < untilMs)
  const slow = sentBetween(startedAtMs, fastAtMs)
  const goodput = (slow.filter(({ status }) => status === 200).length * 1000) / OVERLOAD_MS
  const slowestMs = Math.max(...calls.responses.map(({ tookMs }) => tookMs))
  const after = sentBetween(fastAtMs + RECOVERY_MS, Infinity)
  console.log(
    `capacity ${Math.round(capacity)}/s, sent ${Math.round((slow.length * 1000) / OVERLOAD_MS)}/s, ` +
      `goodput ${Math.round(goodput)}/s, p50 ${Math.round(percentile(slow, 50))} ms, ` +
      `p99 ${Math.round(percentile(slow, 99))} ms, slowest ${Math.round(slowestMs)} ms`,
  )
  return {
    ...calls,
    goodShare: goodput / capacity,
    slowestMs,
    after,
    isAnyRefused: slow.some(({ status }) => status === 503),
  }
}

const isProper = ({ status, retryAfter }: ResponseResult) =>
  status === 200 || (status === 503 && Number(retryAfter) >= 1)

test('200, 503: overload: responses within 1.5 s, goodput above 70 %, then only 200 again', async () => {
  const { responses, failures, goodShare, slowestMs, after, isAnyRefused } = await overload(BOUNDED)
  expect(failures).toEqual([])
  expect(responses.filter((response) => !isProper(response))).toEqual([])
  expect(isAnyRefused).toBe(true)
  expect(slowestMs).toBeLessThan(1_500)
  expect(goodShare).toBeGreaterThan(0.7)
  expect(after.length).toBeGreaterThan(100)
  expect(after.filter(({ status }) => status !== 200)).toEqual([])
})

test('200, 503: a blackholed database: responses within 1.5 s, then only 200 again', async () => {
  await using started = await startBehindProxy(BOUNDED)
  const { network, call } = started
  const calls = startLoad(call, 50)
  await sleep(2_000)
  network.blackhole()
  await sleep(SILENT_MS)
  network.resume()
  const speaksAtMs = performance.now()
  await sleep(RECOVERY_MS + AFTER_MS)
  await calls.end()
  const { responses, failures } = calls
  console.log(
    `slowest ${Math.round(percentile(responses, 100))} ms, ` +
      `${responses.filter(({ status }) => status === 503).length} of ${responses.length} refused`,
  )
  expect([failures, responses.filter((response) => !isProper(response))]).toEqual([[], []])
  expect(percentile(responses, 100)).toBeLessThan(1_500)
  const after = responses.filter(({ atMs }) => atMs >= speaksAtMs + RECOVERY_MS)
  expect(after.length).toBeGreaterThan(100)
  expect(after.filter(({ status }) => status !== 200)).toEqual([])
})

test('control: without limits, the response time grows', async () => {
  expect((await overload(UNBOUNDED)).slowestMs).toBeGreaterThan(3_000)
})
