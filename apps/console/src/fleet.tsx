import type { Schemas } from '@tiwala/contract'
import { Table } from '@tiwala/ui/list'
import { useLoad } from '@tiwala/ui/load'
import { Alert, Facts, Heading, Time } from '@tiwala/ui/parts'
import { Commands, commandOf } from './act.tsx'
import { api } from './api.ts'

type Fleet = Schemas['Fleet']

/** The processes of all machines, and how far their tasks are. */
export function Fleet() {
  const { value, error, reload } = useLoad('fleet', async () => (await api('readFleet', {})).body)
  return (
    <>
      <Heading title="Fleet">Fleet</Heading>
      <p class="lead">The processes of the service on all machines, and how far their tasks are.</p>
      <p>
        <button type="button" class="button" onClick={reload}>
          Refresh
        </button>
      </p>
      <Alert text={error} />
      {value && (
        <>
          <Faults fleet={value} />
          <Processes fleet={value} />
          <h2>Tasks</h2>
          <Tasks fleet={value} />
          <h2>Connections to PostgreSQL</h2>
          <Connections fleet={value} />
        </>
      )}
      <Commands of={[commandOf('readFleet', {})]} />
    </>
  )
}

/** What endangers data, before all that is well. */
function Faults({ fleet: { backups, unsafe_settings: unsafe } }: { fleet: Fleet }) {
  const faults = [
    ...backups.flatMap(({ name, age_seconds }) =>
      age_seconds === null ? [`Backup ${name} is missing: the service cannot see the file.`] : [],
    ),
    ...(unsafe.length ? [`Unsafe settings: a crash loses writes (${unsafe.join(', ')}).`] : []),
  ]
  return faults.map((text) => (
    <p key={text} class="notice bad">
      {text}
    </p>
  ))
}

const Processes = ({ fleet: { processes, schema } }: { fleet: Fleet }) => (
  <Table
    caption="Processes, the newest first"
    rows={processes}
    keyOf={({ process_id }) => process_id}
    columns={[
      {
        title: 'Process',
        cell: ({ process_id, started_at }) => (
          <>
            <code>{process_id}</code>
            <br />
            <span class="small soft">
              since <Time at={started_at} />
            </span>
          </>
        ),
      },
      {
        title: 'State',
        cell: ({ is_running, seen_at }) =>
          is_running ? (
            <span class="badge good">running</span>
          ) : (
            <>
              <span class="badge bad">gone</span> <Time at={seen_at} />
            </>
          ),
      },
      {
        title: 'Version',
        cell: ({ version, schema: own }) => (
          <>
            {version} {own !== schema && <span class="badge warn">knows {own}</span>}
          </>
        ),
      },
      {
        title: 'Housekeeping',
        cell: ({ housekept_at, housekeeping_failed_at }) => (
          <>
            {housekept_at ? <Time at={housekept_at} /> : 'not yet'}
            {housekeeping_failed_at && (
              <>
                <br />
                <span class="badge warn">failed</span> <Time at={housekeeping_failed_at} />
              </>
            )}
          </>
        ),
      },
      { title: 'Node.js', cell: ({ node }) => node },
    ]}
  />
)

const UNITS = { day: 86_400, hour: 3_600, minute: 60, second: 1 }

/** An age in its largest unit. */
function toAge(seconds: number): string {
  const [unit, size] = Object.entries(UNITS).find(([, of]) => seconds >= of) ?? ['second', 1]
  const count = Math.floor(seconds / size)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

const Tasks = ({ fleet }: { fleet: Fleet }) => {
  const { deliveries, unsafe_settings: unsafe } = fleet
  const oldest = deliveries.pending ? `, the oldest since ${toAge(deliveries.oldest_pending_seconds)}` : ''
  return (
    <Facts
      of={{
        'Database schema': <code>{fleet.schema}</code>,
        'Audit not sealed': fleet.unsealed_seconds > 0 ? `since ${toAge(fleet.unsealed_seconds)}` : 'none',
        Deliveries: `${deliveries.pending.toLocaleString('en')} pending${oldest}, ${deliveries.dead.toLocaleString('en')} given up`,
        'Partitions ahead': `${fleet.record_days_ahead} days of records, ${fleet.audit_months_ahead} months of audit`,
        ...Object.fromEntries(
          fleet.backups.map(({ name, age_seconds }) => [
            `Backup ${name}`,
            age_seconds === null ? <span class="badge bad">missing</span> : `${toAge(age_seconds)} old`,
          ]),
        ),
        'Unsafe settings': unsafe.join(', ') || 'none',
      }}
    />
  )
}

function Connections({ fleet: { connections, max_connections } }: { fleet: Fleet }) {
  if (max_connections === null) return <p>The database is embedded, so it has no connections.</p>
  const sum = connections.reduce((total, { count }) => total + count, 0)
  return (
    <>
      <p>
        {sum} of {max_connections} that PostgreSQL allows, other programs included.{' '}
        <progress value={sum} max={max_connections} aria-label="Connections in use" />
      </p>
      <Table
        caption="Connections by purpose"
        rows={connections}
        keyOf={({ purpose }) => purpose}
        columns={[
          { title: 'Purpose', cell: ({ purpose }) => purpose },
          { title: 'Connections', cell: ({ count }) => count },
        ]}
      />
    </>
  )
}
