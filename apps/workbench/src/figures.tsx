import type { Schemas } from '@tiwala/contract'
import { Columns, formatCount, type Series } from '@tiwala/ui/chart'
import { ErrorCodes, HOUR, Limits, RESULTS } from '@tiwala/ui/figures'
import { Table } from '@tiwala/ui/list'
import { useLoad } from '@tiwala/ui/load'
import { Alert, formatDay, Heading } from '@tiwala/ui/parts'
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
          Refresh
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
  // The first instant of a day is another day in other zones.
  const days = new Intl.DateTimeFormat(undefined, { timeZone: time_zone, dateStyle: 'medium' })
  const isDay = range === 'day'
  const labelOf = ({ starts_at }: Step) => (isDay ? HOUR : days).format(new Date(starts_at))
  const per = isDay ? 'per hour' : 'per day'
  const unlisted = steps.reduce((sum, step) => sum + step.unlisted, 0)
  return (
    <>
      <p class="small soft">
        {isDay && 'Hours are in your time zone. '}Days are those of {time_zone}.
      </p>
      <Columns title="Requests" rows={steps} labelOf={labelOf} unit={`requests ${per}`} series={RESULTS}>
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
          Half, 95% and 99% of the requests took at most this long. A request that waits takes as long as it
          waits.
        </p>
        <Table
          caption="Durations of each operation"
          empty="No requests."
          rows={operations}
          keyOf={({ operation }) => operation ?? ''}
          columns={[
            { title: 'Operation', cell: ({ operation }) => operation ?? 'unknown operation' },
            { title: 'Requests', isNumber: true, cell: ({ requests }) => formatCount(requests) },
            { title: 'Median', isNumber: true, cell: ({ median_ms }) => toDuration(median_ms) },
            { title: '95th percentile', isNumber: true, cell: ({ p95_ms }) => toDuration(p95_ms) },
            { title: '99th percentile', isNumber: true, cell: ({ p99_ms }) => toDuration(p99_ms) },
          ]}
        />
      </section>
      <Columns
        title="Deliveries of events"
        rows={steps}
        labelOf={labelOf}
        unit={`attempts ${per}`}
        series={DELIVERIES}
      />
      <section class="card chart">
        <h2>Limits per minute</h2>
        <Limits limits={limits} />
      </section>
      {quota && (
        <Columns
          title="Daily quota used"
          rows={quota.days}
          labelOf={({ date }) => formatDay(date)}
          unit="requests per day"
          max={quota.per_day}
          series={[{ name: 'Used', tone: 'info', value: ({ used }) => used }]}
        />
      )}
      <Columns
        title="Answers of citizens"
        rows={authorizations.days}
        labelOf={({ date }) => formatDay(date)}
        unit="requests per day"
        series={[...ANSWERS, { name: 'Hidden', tone: 'info', value: hiddenOf }]}
        more={[{ title: 'Asked', isNumber: true, cell: ({ asked }) => formatCount(asked) }]}
      >
        <p class="small soft">
          The last 30 complete days. Answers of fewer than {authorizations.smallest_shown} citizens are
          hidden, and others of the day from which they would follow.
        </p>
      </Columns>
    </>
  )
}
