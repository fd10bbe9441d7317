// The metrics of this process. The labels have few values: operations, status classes and error codes of the
// contract, never a partner, a citizen or an address.
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from '@prometheus-io/client'

export const registry = new Registry()
const registers = [registry]

const DEFAULTS = new Set([
  'process_cpu_seconds_total',
  'process_resident_memory_bytes',
  'process_open_fds',
  'process_max_fds',
  'nodejs_eventloop_lag_p99_seconds',
  'nodejs_gc_duration_seconds',
])

// The others repeat these, or break the rules of Prometheus for names.
collectDefaultMetrics({ register: registry })
for (const { name } of registry.getMetricsAsArray())
  if (!DEFAULTS.has(name)) registry.removeSingleMetric(name)

export const requests = new Counter({
  name: 'tiwala_requests_total',
  help: 'Requests by operation, status class and error code.',
  labelNames: ['operation', 'status', 'error'] as const,
  registers,
})

export const requestSeconds = new Histogram({
  name: 'tiwala_request_duration_seconds',
  help: 'Time from the arrival of a request to its response. Waiting requests and streams are not counted.',
  labelNames: ['operation'] as const,
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
  registers,
})

export const shedRequests = new Counter({
  name: 'tiwala_shed_requests_total',
  help: 'Requests that got 503 because of overload, by reason: the queue was full, or the time was over.',
  labelNames: ['reason'] as const,
  registers,
})

export const batchInputs = new Histogram({
  name: 'tiwala_database_batch_inputs',
  help: 'Inputs that shared one statement.',
  buckets: [1, 2, 5, 10, 25, 50, 100],
  registers,
})

export const statementSeconds = new Histogram({
  name: 'tiwala_database_statement_duration_seconds',
  help: 'Time of a statement, from sending it to its result.',
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
  registers,
})

/** Every audited change is sealed once, so this counts the events of all processes. */
export const sealedEvents = new Counter({
  name: 'tiwala_audit_events_total',
  help: 'Sealed audit events by kind: authorizations, disclosures, sign-ins, changes by administrators.',
  labelNames: ['kind'] as const,
  registers,
})

export const deliveryAttempts = new Counter({
  name: 'tiwala_webhook_attempts_total',
  help: 'Attempts to deliver an event, by outcome.',
  labelNames: ['outcome'] as const,
  registers,
})

type Values = Record<string, number>

/**
 * A value that is read when the metrics are collected. With `label`, the reader returns one for each value.
 * `aggregator`: how the values of several processes become one.
 */
function createGauge(name: string, help: string, aggregator: 'sum' | 'max', label?: string) {
  let read: (() => Promise<Values | number> | Values | number) | undefined
  const labelNames = label === undefined ? [] : [label]
  const gauge = new Gauge({ name, help, aggregator, labelNames, registers, collect: () => collect() })
  async function collect(): Promise<void> {
    // A part that is away, such as the database, must not hide the other metrics.
    const values = await Promise.resolve(read?.()).catch(() => undefined)
    gauge.reset()
    if (typeof values === 'number') gauge.set(values)
    else for (const [value, number] of Object.entries(values ?? {})) gauge.set({ [label!]: value }, number)
  }
  return {
    /** The latest reader counts: a process runs one service. */
    readWith: (reader: () => Promise<Values | number> | Values | number) => void (read = reader),
  }
}

export const inFlight = createGauge('tiwala_requests_in_flight', 'Requests that hold a slot.', 'sum')
export const queued = createGauge('tiwala_requests_queued', 'Requests that wait for a slot.', 'sum')
export const waiting = createGauge(
  'tiwala_waiting_requests',
  'Inquiries and event streams that wait for a change.',
  'sum',
)
export const connections = createGauge(
  'tiwala_database_connections',
  'Connections of the pool for requests, by state.',
  'sum',
  'state',
)
export const unsealedSeconds = createGauge(
  'tiwala_audit_unsealed_seconds',
  'Age of the oldest audit event that is not sealed.',
  'max',
)
export const webhookEvents = createGauge(
  'tiwala_webhook_events',
  'Events to partners by status: PENDING, DEAD.',
  'max',
  'status',
)
export const webhookOldestSeconds = createGauge(
  'tiwala_webhook_oldest_pending_seconds',
  'Age of the oldest event that was not delivered yet.',
  'max',
)
export const expiringSecrets = createGauge(
  'tiwala_expiring_secrets',
  'Secrets of partners that expire within the time of the reminder.',
  'max',
)
export const keyAgeSeconds = createGauge(
  'tiwala_key_age_seconds',
  'Time since the current key of a purpose became active, if its time is known.',
  'max',
  'purpose',
)
