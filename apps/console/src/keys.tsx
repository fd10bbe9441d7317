import type { Schemas } from '@tiwala/contract'
import { Table } from '@tiwala/ui/list'
import { useLoad } from '@tiwala/ui/load'
import { Alert, Heading, Time } from '@tiwala/ui/parts'
import { Command, commandOf } from './act.tsx'
import { api, mayCall, type Session } from './api.ts'

const isFuture = (at: string | null) => at !== null && Date.parse(at) > Date.now()

type Process = Schemas['FleetProcess']

/** The processes that run, for those who may read the fleet. */
const readProcesses = async (session: Session): Promise<Process[]> =>
  mayCall(session, 'readFleet')
    ? (await api('readFleet', {})).body.processes.filter(({ is_running }) => is_running)
    : []

const has = (kid: string) => (process: Process) => process.keys.some((key) => key.kid === kid)

export function Keys({ session }: { session: Session }) {
  const { value, error } = useLoad('keys', async () => (await api('listKeys', {})).body.keys)
  const { value: processes = [] } = useLoad('processes', () => readProcesses(session))
  const missing = (value ?? []).filter(({ kid }) => !processes.every(has(kid)))
  return (
    <>
      <Heading title="Keys">Keys</Heading>
      <p class="lead">
        The key ring as one process of this service knows it, and how much data needs each key.
      </p>
      <Alert text={error} />
      {missing.length > 0 && (
        <p class="notice bad" role="alert">
          A process lacks {missing.map(({ kid }) => kid).join(', ')}. Give every process the same ring before
          you remove a key or move data.
        </p>
      )}
      {value && (
        <Table
          caption="Keys, by purpose, the current one first"
          rows={value}
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
                    cell: ({ kid }: { kid: string }) =>
                      `${processes.filter(has(kid)).length} of ${processes.length}`,
                  },
                ]
              : []),
            {
              title: 'Current',
              cell: ({ is_current, active_from }) =>
                is_current ? (
                  <span class="badge good">current</span>
                ) : isFuture(active_from) ? (
                  <>
                    from <Time at={active_from!} />
                  </>
                ) : (
                  'no'
                ),
            },
            {
              title: 'Needed by',
              cell: ({ in_use, is_current, active_from }) =>
                in_use === null ? (
                  'not counted'
                ) : in_use > 0 || is_current || isFuture(active_from) ? (
                  `${in_use.toLocaleString('en')} items`
                ) : (
                  <span class="badge">can be removed</span>
                ),
            },
          ]}
        />
      )}
      <Command text={commandOf('listKeys', {})} />
      <Command text={commandOf('rewrapKeys', {})} />
    </>
  )
}
