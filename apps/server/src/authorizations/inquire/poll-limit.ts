import type { RecordKey } from '../../database/notifications.ts'
import { Failure } from '../../failure.ts'

/** Until when inquiries about a record are refused. Shared by the inquiries between two changes of the record. */
export type Poll = { refusedUntilMs: number }

/**
 * By partner and tracking number. Per process: the limit reduces load, and guarantees nothing.
 *
 * An inquiry takes the entry of its record before it reads the record, and a change of the record removes the
 * entry. So an inquiry that read the record before the change refuses no inquiry after it.
 */
const polls = new Map<string, Poll>()

const MAX_ENTRIES = 100_000

const keyOf = ({ partner_id, tracking_no }: RecordKey) => `${partner_id} ${tracking_no}`

/** Seconds until a record that was polled at `polledAtMs` may be polled again. */
export const secondsToWait = (polledAtMs: number, intervalSeconds: number): number =>
  Math.max(0, Math.ceil(intervalSeconds - (performance.now() - polledAtMs) / 1000))

/** Refuses to read a pending record again before the poll interval has passed. */
export function rejectEagerPolling(record: RecordKey): void {
  const leftMs = (polls.get(keyOf(record))?.refusedUntilMs ?? 0) - performance.now()
  if (leftMs > 0) throw new Failure('slow_down', { retryAfterSeconds: Math.ceil(leftMs / 1000) })
}

/** Called before the record is read. */
export function beginPoll(record: RecordKey): Poll {
  const key = keyOf(record)
  const poll = polls.get(key) ?? { refusedUntilMs: 0 }
  polls.delete(key)
  polls.set(key, poll)
  // A map keeps the order of insertion, so the first entry is the oldest.
  if (polls.size > MAX_ENTRIES) polls.delete(polls.keys().next().value!)
  return poll
}

/**
 * Called when the record changes: the partner may read it at once. Without a record, any of them may have
 * changed.
 */
export function forgetPoll(record?: RecordKey): void {
  if (record) polls.delete(keyOf(record))
  else polls.clear()
}
