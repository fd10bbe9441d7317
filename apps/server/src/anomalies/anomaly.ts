// Anomalies: behavior of a partner that is unusual for this partner.
//
// The guard measures each partner every five minutes and compares it with the same partner before. An anomaly is open
// from the first measure above the threshold until the first one that is not. It does at most one thing, when it begins.
//
// Example: a partner usually sends 100 requests between 14:00 and 15:00. Above 400 in such an hour, the anomaly `rate` is open
// until a whole hour has no more than the threshold.
//
// Guarantees: without a baseline of seven days there is no anomaly. Of requests, only those with a valid secret count, so a
// stranger who names the partner cannot cause one. A failure of the guard changes nothing.
import type { Schemas } from '@tiwala/contract'

export type Anomaly = Schemas['Anomaly']
export type AnomalyKind = Anomaly['kind']
export type AnomalyAction = NonNullable<Anomaly['action']>

type Times = { began_at: Date; ended_at: Date | null; acknowledged_at: Date | null }
export type AnomalyRow = Omit<Anomaly, keyof Times> & Times & { id: number }

export const toAnomaly = ({ id: _id, ...row }: AnomalyRow): Anomaly => ({
  ...row,
  began_at: row.began_at.toISOString(),
  ended_at: row.ended_at?.toISOString() ?? null,
  acknowledged_at: row.acknowledged_at?.toISOString() ?? null,
})

/** A measure above its threshold. Numbers are whole. */
export type Breach = Pick<Anomaly, 'kind' | 'expected' | 'threshold' | 'observed' | 'address_ranges'> & {
  partner_id: number
}

/** An hour of a partner, and the median of the same hour of the days before. Shares are percentages. */
export type HourMeasure = {
  partner_id: number
  is_night: boolean
  requests: number
  refused: number
  answers: number
  declined: number
  usual_requests: number
  usual_refused: number
  usual_declined: number
}

/** An hour needs so many requests, or answers of citizens, before a share of them says something. */
export const LEAST_REQUESTS = 100
export const LEAST_ANSWERS = 20

/** `least`: the lowest threshold. `factor`: how much more than usual is an anomaly. `isShare`: a percentage. */
const RULES = {
  rate: { least: 300, factor: 4, isShare: false },
  night: { least: 50, factor: 4, isShare: false },
  refusals: { least: 20, factor: 2, isShare: true },
  declines: { least: 30, factor: 2, isShare: true },
  disputes: { least: 5, factor: 4, isShare: false },
} as const

/** `undefined`: the measure is usual. */
export function compare(
  kind: keyof typeof RULES,
  partner_id: number,
  observed: number,
  usual: number,
): Breach | undefined {
  const { least, factor, isShare } = RULES[kind]
  // A share that is high already cannot double: it is unusual beyond half of the way to 100 %.
  const highestUsual = isShare ? Math.min(factor * usual, (100 + usual) / 2) : factor * usual
  const threshold = Math.max(least, Math.floor(highestUsual) + 1)
  if (observed < threshold) return undefined
  return { partner_id, kind, expected: Math.round(usual), threshold, observed, address_ranges: [] }
}

/** What is unusual in an hour. */
export function compareHour(hour: HourMeasure): Breach[] {
  const { partner_id, requests, answers } = hour
  const percent = (part: number, of: number) => Math.floor((100 * part) / of)
  return [
    compare('rate', partner_id, requests, hour.usual_requests),
    hour.is_night && compare('night', partner_id, requests, hour.usual_requests),
    requests >= LEAST_REQUESTS &&
      compare('refusals', partner_id, percent(hour.refused, requests), hour.usual_refused),
    answers >= LEAST_ANSWERS &&
      compare('declines', partner_id, percent(hour.declined, answers), hour.usual_declined),
  ].filter((breach) => breach !== undefined && breach !== false)
}

/** For the audit. */
export const describeBreach = ({
  kind,
  observed,
  threshold,
  expected,
  address_ranges,
}: Omit<Breach, 'partner_id'>) =>
  kind === 'address'
    ? `anomaly address: requests from ${address_ranges.join(' ')}`
    : `anomaly ${kind}: ${observed}, usually ${expected}, threshold ${threshold}`
