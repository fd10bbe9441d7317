// Daily quotas of partners, counted by every process.
//
// Each process counts the requests that it completes, adds them to the database once a second, and reads the
// sum of all processes when it authenticates the partner. A request reserves one request of the day's quota
// before it runs. When it ends, the reservation is counted or released.
//
// Example: quota 100, sum in the database 97, two requests counted here but not added yet. One more request
// may start. While it is in flight, the next one is rejected.
//
// Guarantee: a request is rejected only if counted requests and requests in flight fill the quota. The quota
// can be exceeded at most by the requests that other processes accepted within about the last second.
import { startPollLoop } from '../../background/poll-loop.ts'
import { describeError } from '../../describe-error.ts'
import type { Service } from '../../operation.ts'
import type { AuthenticatedPartner } from '../partner.ts'
import { addUsage, readSecondsLeftToday, type Usage } from './usage.sql.ts'

const FLUSH_EVERY_MS = 1_000

/** The use of one partner on one day, as far as this process knows. */
type Tally = {
  partner_id: number
  day: string
  /** Requests counted by all processes, as last read from the database. */
  stored: number
  /** Requests counted by this process and not yet added to the database. */
  pending: number
  /** Requests in flight. */
  reserved: number
  isFlushing: boolean
}

/** A partner with its limits, and what it used today when it was last read. */
export type QuotaHolder = Pick<AuthenticatedPartner, 'id' | 'limits' | 'today' | 'used_today'>

export type Quotas = ReturnType<typeof startQuotas>

export function startQuotas({ db, config, log }: Pick<Service, 'db' | 'config' | 'log'>) {
  const tallies = new Map<string, Tally>()

  function tallyOf({ id, today, used_today }: QuotaHolder): Tally {
    const key = keyOf({ partner_id: id, day: today })
    const tally = tallies.get(key) ?? {
      partner_id: id,
      day: today,
      stored: 0,
      pending: 0,
      reserved: 0,
      isFlushing: false,
    }
    tallies.set(key, tally)
    // During a flush the sum that was read may already contain the pending requests, which would then count
    // twice.
    if (!tally.isFlushing) tally.stored = Math.max(tally.stored, used_today)
    return tally
  }

  /**
   * Reserves one request of the day's quota; the returned function ends the reservation. `undefined`:
   * counted requests and requests in flight fill the quota.
   */
  function reserve(partner: QuotaHolder): ((isUsed: boolean) => void) | undefined {
    const { per_day } = partner.limits
    if (per_day === null) return () => {}
    const tally = tallyOf(partner)
    if (tally.stored + tally.pending + tally.reserved >= per_day) return undefined
    tally.reserved++
    return (isUsed) => {
      tally.reserved--
      if (isUsed) tally.pending++
    }
  }

  async function flush(): Promise<void> {
    const due = [...tallies.values()]
      .filter(({ pending }) => pending > 0)
      .map((tally) => ({ tally, used: tally.pending }))
    deletePastDays()
    if (!due.length) return
    for (const { tally } of due) tally.isFlushing = true
    const sums = await addUsage(
      db,
      due.map(({ tally, used }) => ({ partner_id: tally.partner_id, day: tally.day, used })),
    ).catch((error: unknown) => {
      log.warn(describeError(error), 'quota usage could not be stored; the next attempt follows')
      return undefined
    })
    for (const { tally, used } of due) {
      tally.isFlushing = false
      if (sums) tally.pending -= used
    }
    for (const sum of sums ?? []) {
      const tally = tallies.get(keyOf(sum))!
      tally.stored = Math.max(tally.stored, sum.used)
    }
  }

  function deletePastDays(): void {
    const newest = [...tallies.values()].reduce((latest, { day }) => (day > latest ? day : latest), '')
    for (const [key, { day, pending, reserved }] of tallies)
      if (day < newest && !pending && !reserved) tallies.delete(key)
  }

  const loop = startPollLoop(FLUSH_EVERY_MS, flush)
  return {
    hold: reserve,
    secondsLeftToday: () => readSecondsLeftToday(db, config.timeZone),
    stop: async () => {
      await loop.end()
      await flush()
    },
  }
}

const keyOf = ({ partner_id, day }: Pick<Usage, 'partner_id' | 'day'>) => `${partner_id} ${day}`
