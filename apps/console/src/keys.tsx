import type { Schemas } from '@tiwala/contract'
import { Table } from '@tiwala/ui/list'
import { useLoad } from '@tiwala/ui/load'
import { Alert, Heading, Time } from '@tiwala/ui/parts'
import { Command, commandOf, Commands } from './act.tsx'
import { api, mayCall, type Session } from './api.ts'
import {
  type Difference,
  findDifferences,
  isFuture,
  isRemovable,
  joinRings,
  type RingKey,
} from './key-rings.ts'

type Process = Schemas['FleetProcess']

/** The processes that run, for those who may read the fleet. */
const readProcesses = async (session: Session): Promise<Process[]> =>
  mayCall(session, 'readFleet')
    ? (await api('readFleet', {})).body.processes.filter(({ is_running }) => is_running)
    : []

export function Keys({ session }: { session: Session }) {
  const { value, error, reload } = useLoad('keys', async () => ({
    ...(await api('listKeys', {})).body,
    processes: await readProcesses(session),
  }))
  return (
    <>
      <Heading title="Keys">Keys</Heading>
      <p class="lead">
        The keys of all processes of this service, and how much data needs each key. One process has counted.
      </p>
      <Alert text={error} retry={reload} />
      {value && (
        <>
          <Differences differences={findDifferences(joinRings(value.keys, value.processes))} />
          <Rings rings={joinRings(value.keys, value.processes)} processes={value.processes} />
          <h2>Move to the current keys</h2>
          <Moved {...value} />
          {value.remaining > 0 && <Command text={commandOf('rewrapKeys', {})} />}
        </>
      )}
      <Commands of={[commandOf('listKeys', {})]} />
    </>
  )
}

const Differences = ({ differences }: { differences: Difference[] }) =>
  differences.length > 0 ? (
    <div class="notice bad" role="alert">
      <p>
        The rings of the processes differ. Give every process the same ring before you remove a key or move
        data. A process shows a new ring some seconds later.
      </p>
      <ul>
        {differences.map(({ text, keys }) => (
          <li key={text}>
            {keys.length === 0 ? (
              text
            ) : (
              <details>
                <summary>{text}</summary>
                {keys.map((key) => (
                  <div key={key}>
                    <code>{key}</code>
                  </div>
                ))}
              </details>
            )}
          </li>
        ))}
      </ul>
    </div>
  ) : null

const Rings = ({ rings, processes }: { rings: RingKey[]; processes: Process[] }) => (
  <Table
    caption="Keys, by purpose"
    rows={rings}
    keyOf={({ kid }) => kid}
    columns={[
      {
        title: 'Key',
        cell: ({ purpose, kid }) => (
          <>
            {purpose}
            <br />
            <code class="small soft">{kid}</code>
          </>
        ),
      },
      ...(processes.length > 0
        ? [
            {
              title: 'Processes',
              cell: ({ lackedBy }: RingKey) => (
                <span class={lackedBy.length > 0 ? 'badge warn' : ''}>
                  {processes.length - lackedBy.length} of {processes.length}
                </span>
              ),
            },
          ]
        : []),
      {
        title: 'State',
        cell: ({ own, currentAt }) =>
          own?.is_current && currentAt.length >= processes.length ? (
            <span class="badge good">current</span>
          ) : own?.is_current || currentAt.length > 0 ? (
            <span class="badge warn">
              current at {currentAt.length} of {processes.length}
            </span>
          ) : own && isFuture(own.active_from) ? (
            <>
              from <Time at={own.active_from!} />
            </>
          ) : (
            'not current'
          ),
      },
      {
        title: 'Needed by',
        cell: (ring) =>
          !ring.own || ring.own.in_use === null ? (
            'not counted'
          ) : isRemovable(ring, processes) ? (
            <span class="badge">can be removed</span>
          ) : (
            `${ring.own.in_use.toLocaleString('en')} ${ring.own.in_use === 1 ? 'item' : 'items'}`
          ),
      },
    ]}
  />
)

const Moved = ({ citizens, remaining }: { citizens: number; remaining: number }) => (
  <p>
    {(citizens - remaining).toLocaleString('en')} of {citizens.toLocaleString('en')} citizens need the current
    keys only.{' '}
    {citizens > 0 && (
      <progress value={citizens - remaining} max={citizens} aria-label="Citizens with the current keys" />
    )}
  </p>
)
