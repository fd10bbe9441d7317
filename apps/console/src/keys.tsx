import { Table } from '@tiwala/ui/list'
import { useLoad } from '@tiwala/ui/load'
import { Alert, Heading, Time } from '@tiwala/ui/parts'
import { Command, commandOf } from './act.tsx'
import { api } from './api.ts'

const isFuture = (at: string | null) => at !== null && Date.parse(at) > Date.now()

export function Keys() {
  const { value, error } = useLoad('keys', async () => (await api('listKeys', {})).body.keys)
  return (
    <>
      <Heading title="Keys">Keys</Heading>
      <p class="lead">
        The key ring as one process of this service knows it, and how much data needs each key.
      </p>
      <Alert text={error} />
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
