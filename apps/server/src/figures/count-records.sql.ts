// Counts how requests for authorization ended, each record once, after the last moment at which its citizen could answer.
//
// Records are counted in slices, in the order of their tracking numbers, which begin with the second of the request. In
// each slice every partner has one range of the unique index (partner_id, tracking_no), in one partition. So a slice
// costs an index probe for each partner and one read of each record, and no request waits for it. One row says how far the slices
// have come. It is locked while a slice is counted, and moved by the same transaction: any number of processes may run this.
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { ADD_TO_FIGURES } from './figures.sql.ts'

/** Twice the usual slice. At 2,000 records a second, one statement can count so many within its deadline. */
const MAX_SLICE_SECONDS = 60
/** Time for the transactions that made the last records to commit. */
const MARGIN_SECONDS = 60
/** How long after its request a record is counted. */
export const countedAfterSeconds = (answerSeconds: number): number => answerSeconds + MARGIN_SECONDS
/** After a longer pause of the service without a record, the slices continue so long before the present. */
const MAX_LAG_SECONDS = 6 * 3_600

type Slice = {
  low: string
  high: string
  before_second: number
  until_second: number
  present_second: number
}

/** Counts the next slice. True: there is another one. After a clock that was ahead for a moment, it waits, or returns to the present. */
export const countEndedRecords = (db: Database, answerSeconds: number): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const delay = countedAfterSeconds(answerSeconds)
    const { rows } = await sql<Slice>`
      select tracking_time(to_timestamp(c.until_second)) as low, tracking_time(to_timestamp(s.until_second)) as high,
             c.until_second as before_second, s.until_second, present_second
        from (select until_second from counted_records for update skip locked) c
       cross join (select floor(extract(epoch from clock_now()))::bigint - ${delay}::int as present_second) p
       cross join lateral (select least(c.until_second + ${MAX_SLICE_SECONDS}::int, present_second) as until_second) s
       where s.until_second <> c.until_second`.execute(tx)
    const slice = rows[0]
    if (!slice) return false
    if (slice.present_second < slice.before_second)
      return slice.before_second - slice.present_second > MAX_SLICE_SECONDS && countAgain(tx, slice)
    const { rows: counted } = await sql`
      insert into partner_figure as f (partner_id, hour, kind, operation, outcome, within_ms, count)
      select p.id as partner_id, c.hour, 'record' as kind, '' as operation, c.outcome, 0 as within_ms, c.count
        from partner p cross join lateral (
          select floor(extract(epoch from requested_at) / 3600)::int as hour, count(*) as count,
                 case state when 'PENDING' then 'EXPIRED' when 'REVOKED' then 'ACCEPTED' else state end as outcome
            from authorization_record
           where partner_id = p.id and tracking_no >= ${slice.low} and tracking_no < ${slice.high}
             and scope = 'PROFILE_INQUIRE'
           group by 1, 3
        ) c ${ADD_TO_FIGURES} returning 1`.execute(tx)
    const earliest = slice.present_second - MAX_LAG_SECONDS
    const isPause =
      counted.length === 0 && slice.until_second < earliest && !(await hasRecords(tx, slice.high, earliest))
    const next = isPause ? earliest : slice.until_second
    await sql`update counted_records set until_second = ${next}`.execute(tx)
    return next < slice.present_second
  })

/** Forgets the hours from the present one on, and counts them again from their start. */
async function countAgain(tx: Database, { present_second }: Slice): Promise<true> {
  const hour = Math.floor(present_second / 3_600)
  await sql`delete from partner_figure where kind = 'record' and hour >= ${hour}`.execute(tx)
  await sql`update counted_records set until_second = ${hour * 3_600}`.execute(tx)
  return true
}

/** Whether any record is from the time in between: counting may have failed for hours while the service worked. */
async function hasRecords(tx: Database, low: string, untilSecond: number): Promise<boolean> {
  const { rows } = await sql`
    select from partner p cross join lateral (
      select from authorization_record
       where partner_id = p.id and tracking_no >= ${low} and tracking_no < tracking_time(to_timestamp(${untilSecond}))
       limit 1
    ) r limit 1`.execute(tx)
  return rows.length > 0
}
