// Spans and metrics over OTLP: what a collector receives, and that nothing is loaded without one.
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { startOtlp } from '../../src/metrics/otlp.ts'
import { tracing } from '../../src/metrics/tracing.ts'
import { freePort } from '../../src/testing/start-service.ts'
import { createApiClient } from '../kit/api-client.ts'
import { attributesOf, type ReceivedSpan, startOtlpReceiver } from '../kit/otlp-receiver.ts'
import { startProcess } from '../kit/server-process.ts'
import { temporaryDatabase } from '../kit/temporary-resources.ts'
import { findCanaries, writeAllData } from '../kit/write-all-data.ts'

const [SERVER, CLIENT] = [2, 3]
const CALLERS_TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const CALLERS_SPAN = '00f067aa0ba902b7'

/** Names each package of OpenTelemetry that the process loads. */
const NAME_PACKAGES = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  registerHooks({ resolve(specifier, context, next) {
    if (/opentelemetry\\/sdk/.test(specifier)) process.stderr.write('LOADED ' + specifier + '\\n')
    return next(specifier, context)
  } })`)}`

async function startTraced(settings: Record<string, string>) {
  const database = await temporaryDatabase()
  const server = await startProcess(
    { ...database.settings, TIWALA_POLL_INTERVAL_SECONDS: '0', ...settings },
    ['--import', NAME_PACKAGES],
  )
  await server.ready
  const end = async () => {
    await server.end('SIGINT')
    await database[Symbol.asyncDispose]()
  }
  return { server, end, api: await createApiClient(server.url) }
}

test('a collector receives spans of requests, queue, statements and deliveries, and the metrics', async () => {
  await using receiver = await startOtlpReceiver()
  const { server, end, api } = await startTraced({
    TIWALA_OTLP_URL: `${receiver.url}/`,
    TIWALA_TRACED_PER_THOUSAND: '1000',
    // Two slots, so that requests wait for one.
    TIWALA_MAX_IN_FLIGHT: '2',
  })
  const canaries = await writeAllData(api)
  const traceparent = `00-${CALLERS_TRACE}-${CALLERS_SPAN}-01`
  const tracking_no = await api.createPendingRecord()
  const accepted = await api.send('acceptAuthorization', {
    headers: { ...api.asCitizen, traceparent },
    path: { tracking_no },
  })
  expect(accepted.status).toBe(200)
  await Promise.all(Array.from({ length: 20 }, () => api.send('readPartnerSelf', { headers: api.asPartner })))
  await Promise.all(Array.from({ length: 60 }, () => api.send('listRecords', { headers: api.asPartner })))
  await fetch(`${server.url}/canary-path?secret=canary-query`, {
    method: 'GET',
    headers: { 'X-Secret-Code': 'canary-code' },
  })
  await expect
    .poll(() => receiver.spans().some(({ name }) => name === 'delivery'), { timeout: 15_000 })
    .toBe(true)
  await end()

  const spans = receiver.spans()
  // The inbox of the sandbox, which gets the event, is in the same trace.
  const request = spans.find(({ parentSpanId }) => parentSpanId === CALLERS_SPAN)!
  expect(request).toMatchObject({ name: 'acceptAuthorization', traceId: CALLERS_TRACE, kind: SERVER })
  expect(attributesOf(request)).toEqual({
    'http.request.method': 'POST',
    'http.response.status_code': 200,
    'tiwala.operation': 'acceptAuthorization',
    'tiwala.request_id': accepted.headers.get('x-request-id'),
  })
  expect(accepted.headers.get('traceparent')).toBe(`00-${CALLERS_TRACE}-${request.spanId}-01`)
  const childrenOf = ({ spanId }: ReceivedSpan) => spans.filter(({ parentSpanId }) => parentSpanId === spanId)
  const statements = childrenOf(request).filter(({ name }) => name === 'statement')
  expect(statements.map((span) => attributesOf(span)['db.query.summary'])).toContainEqual(
    expect.stringMatching(/update authorization_record.*insert audit_event/),
  )
  // The delivery is part of the trace of the request that caused it.
  const delivery = spans.find(({ traceId, kind }) => traceId === CALLERS_TRACE && kind === CLIENT)!
  expect(delivery).toMatchObject({ name: 'delivery', parentSpanId: request.spanId })
  expect(attributesOf(delivery)).toMatchObject({
    'tiwala.event_type': 'authorization.accepted',
    'tiwala.attempt': 1,
    'tiwala.outcome': expect.stringMatching(/^HTTP 2/),
  })
  const waits = spans.filter(({ name }) => name === 'wait for a slot')
  expect(waits.length).toBeGreaterThan(0)
  const requestIds = new Set(spans.filter(({ kind }) => kind === SERVER).map(({ spanId }) => spanId))
  expect(waits.filter(({ parentSpanId }) => !requestIds.has(parentSpanId!))).toEqual([])
  // Another request releases the slot, and does not get the statements of the one that waited.
  const self = spans.filter(({ name, kind }) => name === 'readPartnerSelf' && kind === SERVER)
  expect(self).toHaveLength(20)
  const usesOf = (span: ReceivedSpan) =>
    childrenOf(span).filter((child) => attributesOf(child)['db.query.summary'] === 'select credential').length
  expect(self.map(usesOf)).toEqual(Array(20).fill(1))

  const metrics = new Map(receiver.metrics().map((metric) => [metric.name, metric]))
  const requests = metrics
    .get('tiwala_requests_total')!
    .sum!.dataPoints.map((point) => [attributesOf(point), point])
  expect(requests).toContainEqual([
    { operation: 'acceptAuthorization', status: '2xx', error: '' },
    expect.objectContaining({ asDouble: 2 }),
  ])
  const durations = metrics
    .get('tiwala_request_duration_seconds')!
    .histogram!.dataPoints.find((point) => attributesOf(point)['operation'] === 'readPartnerSelf')
  expect(durations!.bucketCounts!.reduce((sum, count) => sum + count, 0)).toBe(20)
  expect(durations!.bucketCounts).toHaveLength(durations!.explicitBounds!.length + 1)
  expect(metrics.get('tiwala_database_connections')!.gauge!.dataPoints.length).toBeGreaterThan(4)

  const received = receiver.received()
  expect(received).not.toContain('canary-')
  expect(findCanaries(received, [...canaries, tracking_no])).toEqual([])
  expect(server.stderr()).toContain('LOADED @opentelemetry/sdk-trace')
})

test('of a thousand traces, about as many are sent as the setting says', async () => {
  const { stop } = startOtlp({
    url: 'http://127.0.0.1:9',
    tracedPerThousand: 20,
    log: pino({ level: 'silent' }),
  })
  const spans = Array.from({ length: 1_000 }, () => tracing!.startRoot('server', 'inquire'))
  await stop()
  const sent = spans.filter(({ isSampled }) => isSampled).length
  expect(sent).toBeGreaterThan(0)
  expect(sent).toBeLessThan(80)
})

test('without a collector, no package is loaded; a collector that is away costs a line in the log', async () => {
  const without = await startTraced({})
  const { headers } = await without.api.send('readPartnerSelf', { headers: without.api.asPartner })
  expect(headers.get('traceparent')).toMatch(/-00$/)
  await without.end()
  expect(without.server.stderr()).not.toContain('LOADED')

  const away = await startTraced({
    TIWALA_OTLP_URL: `http://127.0.0.1:${await freePort()}`,
    TIWALA_TRACED_PER_THOUSAND: '1000',
    OTEL_BSP_SCHEDULE_DELAY: '50',
  })
  expect((await away.api.send('readPartnerSelf', { headers: away.api.asPartner })).status).toBe(200)
  await expect
    .poll(() => away.server.stdout(), { timeout: 15_000 })
    .toMatch(/spans or metrics could not be sent; check TIWALA_OTLP_URL/)
  await away.end()
  expect(await away.server.exited).toBe(0)
})
