// Sends spans and metrics to a collector over OTLP (HTTP, JSON). The start imports this file only if `TIWALA_OTLP_URL` is set.
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import {
  type Context,
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  type Span as OtelSpan,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  ValueType,
} from '@opentelemetry/api'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  DataPointType,
  MeterProvider,
  type MetricData,
  type MetricProducer,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import { VERSION } from '../program.ts'
import { registry } from './registry.ts'
import { setTracing, type Span, type Tracing } from './tracing.ts'

/** A stop does not wait longer for a collector that is away. */
const STOP_MS = 2_000
const WARN_EVERY_MS = 60_000

type Options = { url: string; tracedPerThousand: number; log: Logger }

export function startOtlp({ url, tracedPerThousand, log }: Options): { stop(): Promise<void> } {
  logFailures(log)
  const resource = resourceFromAttributes({
    'service.name': 'tiwala',
    'service.version': VERSION,
    // Each process has counters of its own.
    'service.instance.id': randomUUID(),
  })
  const base = url.replace(/\/+$/, '')
  const tracers = new TracerProvider({
    resource,
    // By the trace id, so that all processes decide in the same way. What the caller asks for does not count.
    sampler: new TraceIdRatioBasedSampler(tracedPerThousand / 1_000),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: `${base}/v1/traces` }) }),
    ],
  })
  const meters = new MeterProvider({
    resource,
    readers: [
      new PeriodicExportingMetricReader({
        exporter: new OTLPMetricExporter({ url: `${base}/v1/metrics` }),
        metricProducers: [createProducer(resource)],
      }),
    ],
  })
  setTracing(createTracing(tracers))
  return {
    stop: async () => {
      setTracing(undefined)
      const flushed = Promise.allSettled([tracers.shutdown(), meters.shutdown()])
      await Promise.race([flushed, new Promise((resolve) => setTimeout(resolve, STOP_MS).unref())])
    },
  }
}

/** In words of ours, because the packages' own contain what the collector responds. */
function logFailures(log: Logger): void {
  let warnedAtMs = -Infinity
  const warn = () => {
    if (performance.now() - warnedAtMs < WARN_EVERY_MS) return
    warnedAtMs = performance.now()
    log.warn(
      'spans or metrics could not be sent; check TIWALA_OTLP_URL and the collector; the service goes on',
    )
  }
  const ignore = () => {}
  diag.setLogger(
    { error: warn, warn, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
}

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT }

function createTracing(provider: TracerProvider): Tracing {
  const tracer = provider.getTracer('tiwala', VERSION)
  const running = new AsyncLocalStorage<Span>()
  const spans = new WeakMap<Span, Context>()
  const wrap = (span: OtelSpan, parent: Context): Span => {
    const { traceId, spanId, traceFlags } = span.spanContext()
    const isSampled = (traceFlags & TraceFlags.SAMPLED) !== 0
    const wrapped: Span = {
      traceparent: `00-${traceId}-${spanId}-0${isSampled ? 1 : 0}`,
      isSampled,
      run: (work) => running.run(wrapped, work),
      end: (attributes, name, isError) => {
        if (name !== undefined) span.updateName(name)
        if (isError) span.setStatus({ code: SpanStatusCode.ERROR })
        span.setAttributes(attributes).end()
      },
    }
    spans.set(wrapped, trace.setSpan(parent, span))
    return wrapped
  }
  return {
    startRoot: (kind, name, parent) => {
      const context = parent
        ? trace.setSpanContext(ROOT_CONTEXT, {
            traceId: parent.traceId,
            spanId: parent.spanId,
            traceFlags: TraceFlags.NONE,
            isRemote: true,
          })
        : ROOT_CONTEXT
      return wrap(tracer.startSpan(name, { kind: KINDS[kind] }, context), context)
    },
    startChild: (name, parent = running.getStore()) => {
      if (!parent?.isSampled) return undefined
      const context = spans.get(parent)!
      return wrap(tracer.startSpan(name, {}, context), context)
    },
  }
}

type Hr = [seconds: number, nanoseconds: number]
const toHr = (ms: number): Hr => [Math.floor(ms / 1_000), Math.round((ms % 1_000) * 1e6)]

/** The metrics of `/metrics`, at the same values. */
function createProducer(resource: ReturnType<typeof resourceFromAttributes>): MetricProducer {
  const startTime = toHr(Date.now() - process.uptime() * 1_000)
  return {
    async collect() {
      const times = { startTime, endTime: toHr(Date.now()) }
      const metrics = (await registry.getMetricsAsJSON()) as unknown as ReadMetric[]
      return {
        resourceMetrics: {
          resource,
          scopeMetrics: [
            { scope: { name: 'tiwala' }, metrics: metrics.map((metric) => toMetricData(metric, times)) },
          ],
        },
        errors: [],
      }
    },
  }
}

type ReadValue = { labels: Record<string, string | number>; value: number; metricName?: string }
type ReadMetric = { name: string; help: string; type: string; values: ReadValue[] }
type Times = { startTime: Hr; endTime: Hr }

function toMetricData({ name, help, type, values }: ReadMetric, times: Times): MetricData {
  const unit = name.endsWith('_seconds') ? 's' : name.endsWith('_bytes') ? 'By' : ''
  const shared = {
    descriptor: { name, description: help, unit, valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  }
  if (type === 'histogram')
    return {
      ...shared,
      dataPointType: DataPointType.HISTOGRAM,
      dataPoints: toHistograms(name, values, times),
    }
  const dataPoints = values.map(({ labels, value }) => ({ ...times, attributes: labels, value }))
  return type === 'counter'
    ? { ...shared, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
    : { ...shared, dataPointType: DataPointType.GAUGE, dataPoints }
}

/** Prometheus counts a value in each bucket that it fits, OTLP in the first one only. */
function toHistograms(name: string, values: ReadValue[], times: Times) {
  const series = new Map<
    string,
    { attributes: ReadValue['labels']; buckets: ReadValue[]; sum: number; count: number }
  >()
  for (const each of values) {
    const { le: _le, ...attributes } = each.labels
    const key = JSON.stringify(attributes)
    const found = series.get(key) ?? { attributes, buckets: [], sum: 0, count: 0 }
    series.set(key, found)
    if (each.metricName === `${name}_sum`) found.sum = each.value
    else if (each.metricName === `${name}_count`) found.count = each.value
    else found.buckets.push(each)
  }
  return [...series.values()].map(({ attributes, buckets, sum, count }) => {
    const bounded = buckets.filter(({ labels }) => Number.isFinite(Number(labels['le'])))
    const totals = [...bounded.map(({ value }) => value), count]
    return {
      ...times,
      attributes,
      value: {
        sum,
        count,
        buckets: {
          boundaries: bounded.map(({ labels }) => Number(labels['le'])),
          counts: totals.map((total, index) => total - (totals[index - 1] ?? 0)),
        },
      },
    }
  })
}
