import { Failure } from '../failure.ts'

/** When pending records were last asked for, by partner and tracking number. Per process: it protects, it decides nothing. */
const lastPolls = new Map<string, number>()
const MOST_REMEMBERED = 100_000

type Polled = { partner_id: number; tracking_no: string }
const keyOf = ({ partner_id, tracking_no }: Polled) => `${partner_id} ${tracking_no}`

/** Seconds until a record may be asked for again that was asked for at `askedAtMs`. */
export const secondsToWait = (askedAtMs: number, intervalSeconds: number): number =>
  Math.max(0, Math.ceil(intervalSeconds - (performance.now() - askedAtMs) / 1000))

/** Refuses to look a pending record up again so soon. */
export function rejectEagerPolling(polled: Polled, intervalSeconds: number): void {
  const last = lastPolls.get(keyOf(polled))
  if (last === undefined) return
  const waitSeconds = secondsToWait(last, intervalSeconds)
  if (waitSeconds > 0) throw new Failure('slow_down', { retryAfterSeconds: waitSeconds })
}

export function recordPoll(polled: Polled, askedAtMs: number): void {
  const key = keyOf(polled)
  lastPolls.delete(key)
  lastPolls.set(key, askedAtMs)
  // A map keeps the order of insertion: the first is the oldest.
  if (lastPolls.size > MOST_REMEMBERED) lastPolls.delete(lastPolls.keys().next().value!)
}

/** The record changed: the next question is not an idle one. */
export const forgetPoll = (polled: Polled): void => void lastPolls.delete(keyOf(polled))
