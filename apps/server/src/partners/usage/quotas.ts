import { startPollLoop } from '../../background/poll-loop.ts'
import type { Service } from '../../operation.ts'
import type { AuthenticatedPartner } from '../partner.ts'
import { addUsage, readSecondsLeftToday, type Usage } from './store.ts'

const SEND_MS = 1_000

/** What one partner has used of one day, as far as this process knows. */
type Tally = {
  partner_id: number
  day: string
  /** By all processes, as the database said last. */
  known: number
  /** By this one, not in the database yet. */
  unsent: number
  /** Not answered yet. */
  held: number
  isSending: boolean
}

export type Quotas = ReturnType<typeof startQuotas>

/**
 * Counts what partners with a daily quota begin. Every process counts by itself, adds it to the database each second, and reads the
 * sum with the partner's proof. So a quota is never refused early, and overrun at most by what the other processes let pass
 * within about the last second.
 */
export function startQuotas({ db, config, log }: Pick<Service, 'db' | 'config' | 'log'>) {
  const tallies = new Map<string, Tally>()

  function tallyOf({ id, today, used_today }: AuthenticatedPartner): Tally {
    const key = keyOf({ partner_id: id, day: today })
    const tally = tallies.get(key) ?? { partner_id: id, day: today, known: 0, unsent: 0, held: 0, isSending: false }
    tallies.set(key, tally)
    // What was read while ours is on its way may hold it already.
    if (!tally.isSending) tally.known = Math.max(tally.known, used_today)
    return tally
  }

  /** Holds one request's place, to be settled when it is answered. `undefined`: the day is used up. */
  function hold(partner: AuthenticatedPartner): ((isUsed: boolean) => void) | undefined {
    const { per_day } = partner.limits
    if (per_day === null) return () => {}
    const tally = tallyOf(partner)
    if (tally.known + tally.unsent + tally.held >= per_day) return undefined
    tally.held++
    return (isUsed) => {
      tally.held--
      if (isUsed) tally.unsent++
    }
  }

  async function send(): Promise<void> {
    const due = [...tallies.values()].filter(({ unsent }) => unsent > 0).map((tally) => ({ tally, used: tally.unsent }))
    forgetPastDays()
    if (!due.length) return
    for (const { tally } of due) tally.isSending = true
    const sums = await addUsage(
      db,
      due.map(({ tally, used }) => ({ partner_id: tally.partner_id, day: tally.day, used })),
    ).catch(({ name }: Error) => {
      log.warn({ name }, 'what partners used was not added up; it will be with the next')
      return undefined
    })
    for (const { tally, used } of due) {
      tally.isSending = false
      if (sums) tally.unsent -= used
    }
    for (const sum of sums ?? []) {
      const tally = tallies.get(keyOf(sum))!
      tally.known = Math.max(tally.known, sum.used)
    }
  }

  function forgetPastDays(): void {
    const newest = [...tallies.values()].reduce((latest, { day }) => (day > latest ? day : latest), '')
    for (const [key, { day, unsent, held }] of tallies) if (day < newest && !unsent && !held) tallies.delete(key)
  }

  const loop = startPollLoop(SEND_MS, send)
  return {
    hold,
    secondsLeftToday: () => readSecondsLeftToday(db, config.timeZone),
    stop: async () => {
      await loop.end()
      await send()
    },
  }
}

const keyOf = ({ partner_id, day }: Pick<Usage, 'partner_id' | 'day'>) => `${partner_id} ${day}`
