import type { Schemas } from '@tiwala/contract'
import { Bar, Columns, formatCount, type Series } from '@tiwala/ui/chart'
import { ErrorCodes, Limits, RESULTS } from '@tiwala/ui/figures'
import { Table } from '@tiwala/ui/list'
import { useLoad } from '@tiwala/ui/load'
import { Alert, Heading } from '@tiwala/ui/parts'
import { api } from './api.ts'
import { hrefOf } from './location.ts'

type AllFigures = Schemas['Figures']
type Step = AllFigures['steps'][number]
type Day = AllFigures['authorizations']['days'][number]

const RANGES = { day: 'Last 24 hours', month: 'Last 30 days' } as const

const DELIVERIES: Series<Step>[] = [
  { name: 'Delivered', tone: 'good', value: ({ deliveries }) => deliveries.delivered },
  { name: 'Failed, tried again', tone: 'warn', value: ({ deliveries }) => deliveries.failed },
  { name: 'Given up', tone: 'bad', value: ({ deliveries }) => deliveries.dead },
]
const ANSWERS: Series<Day>[] = [
  { name: 'Accepted', tone: 'good', value: ({ accepted }) => accepted },
  { name: 'Declined', tone: 'bad', value: ({ declined }) => declined },
  { name: 'Expired', tone: 'warn', value: ({ expired }) => expired },
  { name: 'Cancelled', tone: 'faint', value: ({ cancelled }) => cancelled },
]
/** What was asked, without the numbers that are shown. */
const hiddenOf = ({ asked, cancelled, accepted, declined, expired }: Day) =>
  asked - cancelled - (accepted ?? 0) - (declined ?? 0) - (expired ?? 0)
const toDuration = (ms: number) => `${formatCount(ms)} ms`

export function Figures({ filters }: { filters: URLSearchParams }) {
  const range = filters.get('range') === 'month' ? 'month' : 'day'
  const { value, error, isBusy, reload } = useLoad(range, async () => {
    const { body } = await api('readFigures', { query: { range } })
    return body
  })
  return (
    <>
      <Heading title="Figures">Figures</Heading>
      <p class="lead">What your servers sent and received, as counts.</p>
      <p class="row">
        {(['day', 'month'] as const).map((each) => (
          <a
            key={each}
            class="button compact"
            href={hrefOf('figures', '', `range=${each}`)}
            aria-current={each === range ? 'true' : undefined}
          >
            {RANGES[each]}
          </a>
        ))}
        <button type="button" class="button compact" onClick={reload}>
          Read again
        </button>
      </p>
      <Alert text={error} />
      {isBusy && !value && <p>Loading ...</p>}
      {value && <Charts figures={value} />}
    </>
  )
}

function Charts({ figures }: { figures: AllFigures }) {
  const { range, time_zone, steps, errors, operations, limits, quota, authorizations } = figures
  const labels = new Intl.DateTimeFormat(undefined, {
    timeZone: time_zone,
    ...(range === 'day' ? { hour: '2-digit', minute: '2-digit' } : { day: 'numeric', month: 'short' }),
  })
  const labelOf = ({ starts_at }: Step) => labels.format(new Date(starts_at))
  const unlisted = steps.reduce((sum, step) => sum + step.unlisted, 0)
  const slowest = Math.max(...operations.map(({ p95_ms }) => p95_ms))
  return (
    <>
      <p class="small soft">Times and days are those of {time_zone}.</p>
      <Columns title="Requests" rows={steps} labelOf={labelOf} series={RESULTS}>
        {unlisted > 0 && (
          <p class="notice warn">
            The service was overloaded, so {formatCount(unlisted)} of these requests are not in the list{' '}
            <a href={hrefOf('requests')}>Requests</a>.
          </p>
        )}
      </Columns>
      <section class="card chart">
        <h2>Error codes</h2>
        <ErrorCodes errors={errors} hrefOf={(error) => hrefOf('requests', '', `error=${error}`)} />
      </section>
      <section class="card chart">
        <h2>Durations</h2>
        <p class="small soft">
          Half, 95 % and 99 % of the requests took at most this long. A request that waits takes as long as it
          waits.
        </p>
        <Table
          caption="Durations of each operation"
          empty="None."
          rows={operations}
          keyOf={({ operation }) => operation ?? ''}
          columns={[
            { title: 'Operation', cell: ({ operation }) => operation ?? 'unknown operation' },
            { title: 'Requests', cell: ({ requests }) => formatCount(requests) },
            { title: 'Half', cell: ({ median_ms }) => toDuration(median_ms) },
            { title: '95 %', cell: ({ p95_ms }) => toDuration(p95_ms) },
            { title: '99 %', cell: ({ p99_ms }) => toDuration(p99_ms) },
            {
              title: '95 %, as a bar',
              cell: ({ p95_ms }) => <Bar share={p95_ms / slowest} />,
            },
          ]}
        />
      </section>
      <Columns title="Deliveries of events" rows={steps} labelOf={labelOf} series={DELIVERIES} />
      <section class="card chart">
        <h2>Limits per minute</h2>
        <Limits limits={limits} />
      </section>
      {quota && (
        <Columns
          title="Daily quota used"
          rows={quota.days}
          labelOf={({ date }) => date}
          series={[
            { name: `Used, of ${formatCount(quota.per_day)}`, tone: 'info', value: ({ used }) => used },
          ]}
        />
      )}
      <Columns
        title="Answers of citizens"
        rows={authorizations.days}
        labelOf={({ date }) => date}
        series={[...ANSWERS, { name: 'Hidden', tone: 'info', value: hiddenOf }]}
        more={[{ title: 'Asked', cell: ({ asked }) => formatCount(asked) }]}
      >
        <p class="small soft">
          The last 30 complete days. Answers of fewer than {authorizations.smallest_shown} citizens are
          hidden, and others of the day from which they would follow.
        </p>
      </Columns>
    </>
  )
}
