import { Failure } from '../../failure.ts'

/**
 * When each pending record was last polled, by partner and tracking number. Per process: it limits load, and
 * guarantees nothing.
 */
const lastPolls = new Map<string, number>()

const MAX_ENTRIES = 100_000

type RecordKey = { partner_id: number; tracking_no: string }

const keyOf = ({ partner_id, tracking_no }: RecordKey) => `${partner_id} ${tracking_no}`

/** Seconds until a record that was polled at `polledAtMs` may be polled again. */
export const secondsToWait = (polledAtMs: number, intervalSeconds: number): number =>
  Math.max(0, Math.ceil(intervalSeconds - (performance.now() - polledAtMs) / 1000))

/** Refuses to read a pending record again before the poll interval has passed. */
export function rejectEagerPolling(record: RecordKey, intervalSeconds: number): void {
  const last = lastPolls.get(keyOf(record))
  if (last === undefined) return
  const waitSeconds = secondsToWait(last, intervalSeconds)
  if (waitSeconds > 0) throw new Failure('slow_down', { retryAfterSeconds: waitSeconds })
}

export function storePoll(record: RecordKey, polledAtMs: number): void {
  const key = keyOf(record)
  lastPolls.delete(key)
  lastPolls.set(key, polledAtMs)
  // A map keeps the order of insertion, so the first entry is the oldest.
  if (lastPolls.size > MAX_ENTRIES) lastPolls.delete(lastPolls.keys().next().value!)
}

/** Called when the record changes: the partner may read it at once. */
export const forgetPoll = (record: RecordKey): void => void lastPolls.delete(keyOf(record))
