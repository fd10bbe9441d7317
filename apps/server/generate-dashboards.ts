// Writes the dashboards for Grafana (`observability/dashboards/`) from the tables below. `npm run generate` runs it.
import { mkdir, writeFile } from 'node:fs/promises'

type Query = [expression: string, legend: string]
type Panel = [title: string, unit: string, ...Query[]]

const rate = (metric: string) => `rate(${metric}[$__rate_interval])`
const sumOf = (label: string, metric: string): Query => [
  `sum by (${label}) (${rate(metric)})`,
  label
    .split(', ')
    .map((name) => `{{${name}}}`)
    .join(' '),
]
const quantile = (share: number, metric: string, ...labels: string[]): Query => [
  `histogram_quantile(${share}, sum by (${['le', ...labels].join(', ')}) (${rate(`${metric}_bucket`)}))`,
  [`p${share * 100}`, ...labels.map((label) => `{{${label}}}`)].join(' '),
]

const SERVICE: Panel[] = [
  ['Requests per second by operation', 'reqps', sumOf('operation', 'tiwala_requests_total')],
  ['Errors per second by code', 'reqps', sumOf('error', 'tiwala_requests_total{error!=""}')],
  ['Response time, 99th percentile', 's', quantile(0.99, 'tiwala_request_duration_seconds', 'operation')],
  [
    'Load',
    'short',
    ['sum(tiwala_requests_in_flight)', 'in flight'],
    ['sum(tiwala_requests_queued)', 'waiting for a slot'],
    ['sum by (kind) (tiwala_waiting_requests)', '{{kind}}'],
    sumOf('reason', 'tiwala_shed_requests_total'),
  ],
  ['Audited events per second', 'short', sumOf('kind', 'tiwala_audit_events_total')],
  ['Age of the oldest unsealed audit event', 's', ['max(tiwala_audit_unsealed_seconds)', 'age']],
  [
    'Keys and secrets',
    'short',
    ['max by (purpose) (tiwala_key_age_seconds) / 86400', 'days of {{purpose}}'],
    ['max(tiwala_expiring_secrets)', 'secrets that expire soon'],
  ],
  [
    'Event loop and processor',
    'short',
    ['nodejs_eventloop_lag_p99_seconds', 'event loop {{instance}}'],
    [rate('process_cpu_seconds_total'), 'processor {{instance}}'],
  ],
  ['Memory', 'bytes', ['process_resident_memory_bytes', '{{instance}}']],
  [
    'Housekeeping and keys of the identity providers',
    'short',
    sumOf('outcome', 'tiwala_housekeeping_runs_total'),
    sumOf('provider, outcome', 'tiwala_identity_key_fetches_total'),
  ],
  ['Versions', 'short', ['sum by (version, node) (tiwala_build_info)', '{{version}} on Node {{node}}']],
  ['Wrong credentials per second by kind', 'reqps', sumOf('kind', 'tiwala_wrong_credentials_total')],
]

const OF_PARTNER = '{partner=~"$partner"}'
const REFUSED = '{partner=~"$partner",error!=""}'
const PARTNERS: Panel[] = [
  ['Requests per second by partner', 'reqps', sumOf('partner', `tiwala_partner_requests_total${OF_PARTNER}`)],
  [
    'Errors per second by partner and code',
    'reqps',
    sumOf('partner, error', `tiwala_partner_requests_total${REFUSED}`),
  ],
  [
    'Share of requests that are refused',
    'percentunit',
    [
      `sum by (partner) (${rate(`tiwala_partner_requests_total${REFUSED}`)}) / ` +
        `sum by (partner) (${rate(`tiwala_partner_requests_total${OF_PARTNER}`)})`,
      '{{partner}}',
    ],
  ],
  [
    'Time to answer by outcome',
    's',
    quantile(0.5, 'tiwala_authorization_answer_seconds', 'outcome'),
    quantile(0.9, 'tiwala_authorization_answer_seconds', 'outcome'),
  ],
  ['Pending authorizations', 'short', ['max(tiwala_authorizations_pending)', 'pending']],
  [
    'Webhook attempts per second',
    'short',
    sumOf('outcome', 'tiwala_webhook_attempts_total'),
    [`sum(${rate('tiwala_webhook_dead_letters_total')})`, 'given up'],
  ],
  [
    'Webhook backlog',
    'short',
    ['max by (status) (tiwala_webhook_events)', '{{status}}'],
    ['max(tiwala_webhook_oldest_pending_seconds)', 'age of the oldest, in seconds'],
  ],
  [
    'Webhook lag',
    's',
    quantile(0.5, 'tiwala_webhook_lag_seconds'),
    quantile(0.99, 'tiwala_webhook_lag_seconds'),
  ],
  [
    'Requests missing in the workbench',
    'short',
    [`sum(${rate('tiwala_partner_requests_lost_total')})`, 'missing'],
  ],
]

const DATABASE: Panel[] = [
  ['Connections', 'short', ['sum by (pool, state) (tiwala_database_connections)', '{{pool}} {{state}}']],
  ['Statements, 99th percentile', 's', quantile(0.99, 'tiwala_database_statement_duration_seconds', 'pool')],
  ['Statements per second', 'ops', sumOf('pool', 'tiwala_database_statement_duration_seconds_count')],
  [
    'Inputs for each statement, mean',
    'short',
    [
      `sum(${rate('tiwala_database_batch_inputs_sum')}) / sum(${rate('tiwala_database_batch_inputs_count')})`,
      'inputs',
    ],
  ],
  [
    'Partitions ahead',
    'short',
    ['min(tiwala_record_partitions_ahead)', 'days of records'],
    ['min(tiwala_audit_partitions_ahead)', 'months of the audit'],
  ],
  [
    'Age of backups and of the archived WAL',
    's',
    ['max by (backup) (tiwala_backup_age_seconds)', '{{backup}}'],
    ['max(tiwala_database_wal_archived_seconds)', 'WAL'],
  ],
  ['Settings with which a crash loses writes', 'short', ['max(tiwala_database_unsafe_settings)', 'settings']],
]

const datasource = { type: 'prometheus', uid: '${datasource}' }

const toPanel = ([title, unit, ...queries]: Panel, index: number) => ({
  id: index + 1,
  type: 'timeseries',
  title,
  gridPos: { h: 8, w: 12, x: (index % 2) * 12, y: Math.floor(index / 2) * 8 },
  datasource,
  fieldConfig: { defaults: { unit }, overrides: [] },
  targets: queries.map(([expr, legendFormat], position) => ({
    refId: 'ABCDEF'[position],
    expr,
    legendFormat,
  })),
})

const dashboards: [name: string, title: string, panels: Panel[], ...variables: object[]][] = [
  ['service', 'Tiwala: service', SERVICE],
  [
    'partners',
    'Tiwala: partners',
    PARTNERS,
    {
      name: 'partner',
      type: 'query',
      datasource,
      query: 'label_values(tiwala_partner_requests_total, partner)',
      refresh: 2,
      multi: true,
      includeAll: true,
      allValue: '.*',
      current: { text: 'All', value: '$__all' },
    },
  ],
  ['database', 'Tiwala: database', DATABASE],
]

const folder = new URL('observability/dashboards/', import.meta.url)
await mkdir(folder, { recursive: true })
for (const [name, title, panels, ...variables] of dashboards) {
  const dashboard = {
    title,
    uid: `tiwala-${name}`,
    schemaVersion: 39,
    tags: ['tiwala'],
    time: { from: 'now-6h', to: 'now' },
    refresh: '30s',
    templating: { list: [{ name: 'datasource', type: 'datasource', query: 'prometheus' }, ...variables] },
    panels: panels.map(toPanel),
  }
  await writeFile(new URL(`${name}.json`, folder), `${JSON.stringify(dashboard, null, 1)}\n`)
}
