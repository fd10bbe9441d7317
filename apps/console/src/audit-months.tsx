import type { Schemas, Success } from '@tiwala/contract'
import { Table } from '@tiwala/ui/list'
import { useLoad } from '@tiwala/ui/load'
import { Alert, Time } from '@tiwala/ui/parts'
import { Command } from './act.tsx'
import { api } from './api.ts'

type Month = Schemas['AuditMonth']
export type Verified = Pick<Success<'verifyAudit'>, 'checked_checkpoints' | 'checked_rows' | 'first_fault'>

/** Where the months of the audit are, and the command that archives the next one. */
export function Months({ verified }: { verified: Verified }) {
  const { value, error, reload } = useLoad(
    'months',
    async () => (await api('listAuditMonths', {})).body.months,
  )
  const next = value?.findLast(({ status, month }) => status === 'CLOSED' && month !== null)
  return (
    <>
      <h2>Months</h2>
      <Alert text={error} retry={reload} />
      {value && (
        <Table
          caption="Months of the audit, newest first"
          rows={value}
          keyOf={({ name }) => name}
          columns={[
            { title: 'Month', cell: ({ name, month }) => (name === 'past' ? 'Before the months' : month) },
            { title: 'State', cell: (month) => <State {...month} /> },
            {
              title: 'Events',
              cell: ({ status, events }) =>
                events === null
                  ? 'not counted yet'
                  : `${status === 'ARCHIVED' ? '' : 'about '}${events.toLocaleString('en')}`,
            },
            { title: 'In the database', cell: ({ bytes }) => (bytes === null ? 'nothing' : toSize(bytes)) },
            { title: 'Files verified', cell: (month) => <Verification month={month} verified={verified} /> },
          ]}
        />
      )}
      <p>
        Archiving writes a closed month to files, verifies them, and then removes the month from the database.
        It is a command on a machine of the service and not an act of this page, so that no session and no
        token can remove events. It needs the settings and the user of the service, and the folder{' '}
        <code>TIWALA_AUDIT_ARCHIVE_DIR</code>.
      </p>
      {next ? (
        <Command
          text={`sudo -u tiwala tiwala audit archive --settings /etc/tiwala/tiwala.env --until ${next.month}`}
        />
      ) : (
        value && <p>No month waits to be archived.</p>
      )}
    </>
  )
}

const State = ({ status, archived_at }: Month) =>
  status === 'OPEN' ? (
    <span class="badge">open</span>
  ) : status === 'CLOSED' ? (
    <span class="badge info">can be archived</span>
  ) : (
    <>
      <span class="badge good">archived</span> {archived_at && <Time at={archived_at} />}
    </>
  )

function Verification({ month, verified }: { month: Month; verified: Verified }) {
  const { first_checkpoint: first, last_checkpoint: last } = month
  const { checked_checkpoints: checked, first_fault: fault } = verified
  if (first === null || last === null) return 'no files'
  const hasFault = fault && first <= fault.checkpoint && fault.checkpoint <= last
  return (
    <>
      {hasFault ? (
        <span class="badge bad">fault</span>
      ) : last <= checked ? (
        <span class="badge good">no fault</span>
      ) : (
        <span class="badge">not yet</span>
      )}{' '}
      checkpoints {first} to {last}
    </>
  )
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte']

function toSize(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return new Intl.NumberFormat('en', {
    style: 'unit',
    unit: UNITS[power]!,
    maximumSignificantDigits: 3,
  }).format(bytes / 1_000 ** power)
}
