import type { ErrorCode, Query, Schemas } from '@tiwala/contract'
import catalogue from '@tiwala/contract/errors.json' with { type: 'json' }
import { CLIENT_WENT_AWAY } from '../failure.ts'
import { countRecordsByDay, type FigureRow, findFigures, type RecordCounts } from '../figures/figures.sql.ts'
import { hideSmall, SMALLEST_SHOWN } from '../figures/hide-small.ts'
import type { Operation, Service } from '../operation.ts'
import { effectiveLimits } from '../partners/partner.ts'
import { findQuotaUse } from '../partners/usage/usage.sql.ts'

type Step = Schemas['Figures']['steps'][number]

export const readFigures: Operation<'readFigures'> = async (service, { caller, query }) => ({
  status: 200,
  body: await readFiguresOf(service, { id: caller.partnerId, code: caller.partnerCode }, query),
})

/** The figures of a partner. */
export async function readFiguresOf(
  { db, config }: Service,
  partner: { id: number; code: string },
  { range = 'day' }: Query<'readFigures'>,
): Promise<Schemas['Figures']> {
  const [rows, days, quota] = await Promise.all([
    findFigures(db, partner.id, range, config.timeZone),
    countRecordsByDay(db, partner.id, config.timeZone),
    findQuotaUse(db, partner.id, config.timeZone),
  ])
  const counted = rows.filter((row): row is FigureRow => row.kind !== null)
  const of = (kind: FigureRow['kind']) => counted.filter((row) => row.kind === kind)
  const { per_day, ...perMinute } = effectiveLimits(quota, config)
  return {
    partner_code: partner.code,
    range,
    time_zone: config.timeZone,
    steps: toSteps(rows),
    errors: toErrors(of('request')),
    operations: toOperations(of('request')),
    limits: Object.entries(perMinute).map(([limit, per_minute]) => ({
      limit: limit as keyof typeof perMinute,
      per_minute,
      highest_percent: Math.max(
        0,
        ...of('limit').flatMap(({ operation, count }) => (operation === limit ? count : [])),
      ),
    })),
    quota: per_day === null ? null : { per_day, days: quota.days },
    authorizations: { smallest_shown: SMALLEST_SHOWN, days: days.map(toDay) },
  }
}

/** What the total and the cancellations say is known: the partner asked, and the partner cancelled. */
function toDay({ date, cancelled, ...answers }: RecordCounts & { date: string }) {
  const asked = cancelled + answers.accepted + answers.declined + answers.expired
  return { date, asked, cancelled, ...hideSmall(answers) }
}

function toSteps(rows: Awaited<ReturnType<typeof findFigures>>): Step[] {
  const steps = new Map<number, Step>()
  for (const row of rows) {
    const step = steps.get(row.starts_at.getTime()) ?? {
      starts_at: row.starts_at.toISOString(),
      succeeded: 0,
      refused: 0,
      failed: 0,
      closed: 0,
      unlisted: 0,
      deliveries: { delivered: 0, failed: 0, dead: 0 },
    }
    steps.set(row.starts_at.getTime(), step)
    if (row.kind === 'unlisted') step.unlisted += row.count
    if (row.kind === 'request') step[resultOf(row.outcome)] += row.count
    if (row.kind === 'attempt') step.deliveries[ATTEMPTS[row.outcome]!] += row.count
  }
  return [...steps.values()]
}

const ATTEMPTS: Record<string, 'delivered' | 'failed' | 'dead'> = {
  DELIVERED: 'delivered',
  PENDING: 'failed',
  DEAD: 'dead',
}

/** `outcome`: an error code; the status, of an error without code; empty, of success. */
function resultOf(outcome: string): 'succeeded' | 'refused' | 'failed' | 'closed' {
  if (outcome === '') return 'succeeded'
  const status = isCode(outcome) ? catalogue[outcome].status : Number(outcome)
  if (status === CLIENT_WENT_AWAY) return 'closed'
  return status < 500 ? 'refused' : 'failed'
}

const isCode = (outcome: string): outcome is ErrorCode => Object.hasOwn(catalogue, outcome)

function toErrors(requests: FigureRow[]) {
  const counts = new Map<ErrorCode, number>()
  for (const { outcome, count } of requests)
    if (isCode(outcome)) counts.set(outcome, (counts.get(outcome) ?? 0) + count)
  return [...counts]
    .map(([error, count]) => ({ error, requests: count }))
    .toSorted((a, b) => b.requests - a.requests)
}

function toOperations(requests: FigureRow[]) {
  const byOperation = Map.groupBy(requests, ({ operation }) => operation)
  return [...byOperation]
    .map(([operation, rows]) => {
      const ascending = rows.toSorted((a, b) => a.within_ms - b.within_ms)
      const total = rows.reduce((sum, { count }) => sum + count, 0)
      const within = (share: number) => {
        let seen = 0
        return ascending.find(({ count }) => (seen += count) >= share * total)!.within_ms
      }
      return {
        operation: operation || null,
        requests: total,
        median_ms: within(0.5),
        p95_ms: within(0.95),
        p99_ms: within(0.99),
      }
    })
    .toSorted((a, b) => b.requests - a.requests)
}
