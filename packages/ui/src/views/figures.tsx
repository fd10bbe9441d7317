// The parts of a partner's figures that its people and the administrators see.
import type { Schemas } from '@tiwala/contract'
import { Bar, formatCount, type Series } from '../chart.tsx'
import { Table } from '../list.tsx'

type Figures = Schemas['Figures']

export const RESULTS: Series<Figures['steps'][number]>[] = [
  { name: 'Succeeded', tone: 'good', value: ({ succeeded }) => succeeded },
  { name: 'Rejected', tone: 'warn', value: ({ refused }) => refused },
  { name: 'Failed', tone: 'bad', value: ({ failed }) => failed },
  { name: 'Connection closed', tone: 'faint', value: ({ closed }) => closed },
]

const LIMITS: Record<Figures['limits'][number]['limit'], string> = {
  requests_per_minute: 'Requests for authorization',
  views_per_minute: 'Profiles by QR code',
  tokens_per_minute: 'Access tokens',
  sign_ins_per_minute: 'Sign-ins',
}

/** Hours are those of the reader, as all times of the page. */
export const HOUR = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
})

/** `hrefOf`: the requests that got the code. */
export function ErrorCodes({
  errors,
  hrefOf,
}: {
  errors: Figures['errors']
  hrefOf: (error: string) => string
}) {
  const sum = errors.reduce((total, { requests }) => total + requests, 0)
  if (errors.length === 0) return <p class="soft">No request was rejected.</p>
  return (
    <Table
      caption="Error codes, the most frequent first"
      rows={errors}
      keyOf={({ error }) => error}
      columns={[
        {
          title: 'Code',
          cell: ({ error }) => (
            <a href={hrefOf(error)}>
              <code>{error}</code>
            </a>
          ),
        },
        { title: 'Requests', isNumber: true, cell: ({ requests }) => formatCount(requests) },
        { title: 'Share', cell: ({ requests }) => <Bar share={requests / sum} /> },
      ]}
    />
  )
}

export const Limits = ({ limits }: { limits: Figures['limits'] }) => (
  <>
    <p class="small soft">How much of each limit the busiest minute used, rounded up.</p>
    <Table
      caption="Limits per minute, and how much of them was used"
      rows={limits}
      keyOf={({ limit }) => limit}
      columns={[
        { title: 'Limit', cell: ({ limit }) => LIMITS[limit] },
        { title: 'Per minute', isNumber: true, cell: ({ per_minute }) => formatCount(per_minute) },
        { title: 'Used', cell: ({ highest_percent }) => <Bar share={highest_percent / 100} /> },
      ]}
    />
  </>
)
