// The metrics of this process. The labels have few values: operations, status classes and error codes of the
// contract, and the codes of partners in two metrics, never a citizen or an address.
import { collectDefaultMetrics, Counter, Gauge, Histogram, register as registry } from '@prometheus-io/client'

export { registry }

const DEFAULTS = new Set([
  'process_cpu_seconds_total',
  'process_resident_memory_bytes',
  'process_start_time_seconds',
  'process_open_fds',
  'process_max_fds',
  'nodejs_eventloop_lag_p99_seconds',
  'nodejs_gc_duration_seconds',
])

// The others repeat these, or break the rules of Prometheus for names.
collectDefaultMetrics()
for (const { name } of registry.getMetricsAsArray())
  if (!DEFAULTS.has(name)) registry.removeSingleMetric(name)

export const requests = new Counter({
  name: 'tiwala_requests_total',
  help: 'Requests by operation, status class and error code.',
  labelNames: ['operation', 'status', 'error'] as const,
})

export const partnerRequests = new Counter({
  name: 'tiwala_partner_requests_total',
  help: 'Requests of partners by status class and error code.',
  labelNames: ['partner', 'status', 'error'] as const,
})

/** The partners of public sandboxes come and go, and a series stays as long as the process. */
const MAX_PARTNERS = 1_000
const labeledPartners = new Set<string>()

/** The partner's code, or `other` once there are too many. `code`: of an existing partner. */
export function toPartnerLabel(code: string): string {
  if (labeledPartners.size < MAX_PARTNERS) labeledPartners.add(code)
  return labeledPartners.has(code) ? code : 'other'
}

export const buildInfo = new Gauge({
  name: 'tiwala_build_info',
  help: 'The versions of this process. The value is 1.',
  labelNames: ['version', 'contract', 'node'] as const,
})

export const requestSeconds = new Histogram({
  name: 'tiwala_request_duration_seconds',
  help: 'Time from the arrival of a request to its response. Waits, streams and long operations do not count.',
  labelNames: ['operation'] as const,
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
})

export const shedRequests = new Counter({
  name: 'tiwala_shed_requests_total',
  help: 'Requests that got 503 because of overload, by reason: the queue was full, or the time was over.',
  labelNames: ['reason'] as const,
})

export const lostPartnerRequests = new Counter({
  name: 'tiwala_partner_requests_lost_total',
  help: 'Requests that are missing in the lists of the workbench: the queue was full, or the database failed.',
})

export const wrongCredentials = new Counter({
  name: 'tiwala_wrong_credentials_total',
  help: 'Wrong credentials by the authentication of the operation, also those that got 429.',
  labelNames: ['kind'] as const,
})

export const secondsToAnswer = new Histogram({
  name: 'tiwala_authorization_answer_seconds',
  help: 'Time from the request of a partner to the answer of the citizen, by outcome.',
  labelNames: ['outcome'] as const,
  buckets: [1, 2.5, 5, 10, 20, 30, 60, 120, 300],
})

export const batchInputs = new Histogram({
  name: 'tiwala_database_batch_inputs',
  help: 'Inputs that shared one statement.',
  buckets: [1, 2, 5, 10, 25, 50, 100],
})

export const statementSeconds = new Histogram({
  name: 'tiwala_database_statement_duration_seconds',
  help: 'Time of a statement, from sending it to its result, by the pool of its connection.',
  labelNames: ['pool'] as const,
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
})

/** Each event is sealed by one process, so the sum over all processes counts every event once. */
export const sealedEvents = new Counter({
  name: 'tiwala_audit_events_total',
  help: 'Sealed audit events by kind: authorizations, disclosures, sign-ins, changes by administrators.',
  labelNames: ['kind'] as const,
})

export const deliveryAttempts = new Counter({
  name: 'tiwala_webhook_attempts_total',
  help: 'Attempts to deliver an event, by outcome.',
  labelNames: ['outcome'] as const,
})

export const deliveryLagSeconds = new Histogram({
  name: 'tiwala_webhook_lag_seconds',
  help: 'Time from an event to the first attempt to deliver it.',
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60, 300],
})

export const housekeepingRuns = new Counter({
  name: 'tiwala_housekeeping_runs_total',
  help: 'Runs of the periodic tasks by outcome: done, failed.',
  labelNames: ['outcome'] as const,
})

export const keyFetches = new Counter({
  name: 'tiwala_identity_key_fetches_total',
  help: 'Fetches of the keys of the identity providers by provider and outcome: fetched, failed.',
  labelNames: ['provider', 'outcome'] as const,
})

export const deadLetters = new Counter({
  name: 'tiwala_webhook_dead_letters_total',
  help: 'Events to partners that were given up.',
})

/** A number, or the values of the first label, each with the values of the next label. */
type Values = number | { [value: string]: Values }
type Read = () => Promise<Values> | Values

/** A value that is read when the metrics are collected. */
function createGauge(name: string, help: string, ...labelNames: string[]) {
  let read: Read | undefined
  const gauge = new Gauge({ name, help, labelNames, collect: () => collect() })
  async function collect(): Promise<void> {
    // A part that is away, such as the database, must not hide the other metrics.
    const values = await Promise.resolve(read?.()).catch(() => undefined)
    gauge.reset()
    if (values !== undefined) set(values, {})
  }
  function set(values: Values, labels: Record<string, string>): void {
    if (typeof values === 'number') return gauge.set(labels, values)
    const label = labelNames[Object.keys(labels).length]!
    for (const [value, inner] of Object.entries(values)) set(inner, { ...labels, [label]: value })
  }
  return {
    /** The latest reader counts: a process runs one service. */
    readWith: (reader: Read) => void (read = reader),
  }
}

export const inFlight = createGauge('tiwala_requests_in_flight', 'Requests that hold a slot.')
export const queued = createGauge('tiwala_requests_queued', 'Requests that wait for a slot.')
export const waiting = createGauge(
  'tiwala_waiting_requests',
  'Requests that wait for a change, by kind: inquiry, event_stream, sign_in.',
  'kind',
)
export const pendingAuthorizations = createGauge(
  'tiwala_authorizations_pending',
  'Requests of partners that wait for the answer of a citizen.',
)
export const recordPartitionsAhead = createGauge(
  'tiwala_record_partitions_ahead',
  'Days after today whose partition of the records exists.',
)
export const auditPartitionsAhead = createGauge(
  'tiwala_audit_partitions_ahead',
  'Months after this one whose partition of the audit exists.',
)
export const backupAgeSeconds = createGauge(
  'tiwala_backup_age_seconds',
  'Time since the files and folders of TIWALA_BACKUP_FILES were changed.',
  'backup',
)
export const backupMissing = createGauge(
  'tiwala_backup_missing',
  'Files and folders of TIWALA_BACKUP_FILES that the process cannot see: 1. Others: 0.',
  'backup',
)
export const walAgeSeconds = createGauge(
  'tiwala_database_wal_archived_seconds',
  'Time since PostgreSQL archived its log the last time, if it archives.',
)
export const connections = createGauge(
  'tiwala_database_connections',
  'Connections by pool and state: in_use, idle. Also what waits for a connection: waiting.',
  'pool',
  'state',
)
export const unsafeSettings = createGauge(
  'tiwala_database_unsafe_settings',
  'Settings of PostgreSQL with which a crash loses acknowledged writes.',
)
export const unsealedSeconds = createGauge(
  'tiwala_audit_unsealed_seconds',
  'Age of the oldest audit event that is not sealed.',
)
export const webhookEvents = createGauge(
  'tiwala_webhook_events',
  'Events to partners by status: PENDING, DEAD.',
  'status',
)
export const webhookOldestSeconds = createGauge(
  'tiwala_webhook_oldest_pending_seconds',
  'Age of the oldest event that was not delivered yet.',
)
export const expiringSecrets = createGauge(
  'tiwala_expiring_secrets',
  'Secrets of partners that expire within the time of the reminder.',
)
export const partnerAnomalies = createGauge(
  'tiwala_partner_anomalies',
  'Open anomalies of partners that no administrator has acknowledged, by kind.',
  'partner',
  'kind',
)
export const keyAgeSeconds = createGauge(
  'tiwala_key_age_seconds',
  'Time since the current key of a purpose became active, if its time is known.',
  'purpose',
)
