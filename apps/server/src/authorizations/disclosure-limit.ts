// How often a partner can read the profile of one record. Each disclosure is a permanent audit row and a line
// of the citizen's history, and stays so: the limit refuses repetitions instead of counting them in one row, since
// a row that was written cannot change, and a count in memory would be lost with the process.
import type { RecordKey } from '../database/notifications.ts'
import { Failure } from '../failure.ts'

type Window = { disclosures: number; endsAtMs: number }

const HOUR_MS = 3_600_000
const MAX_ENTRIES = 100_000

/** The windows of the records that were disclosed in the last hour. Each process counts for itself. */
const windows = new Map<string, Window>()
/**
 * How many statements that may disclose a record are running, since its last change. A statement that began before the
 * change counts no more.
 */
const running = new Map<string, { statements: number }>()

const keyOf = ({ partner_id, tracking_no }: RecordKey) => `${partner_id} ${tracking_no}`

const TOO_OFTEN = 'This profile was read too often. Store what you need of it, and wait for Retry-After.'
const TOO_MANY_AT_ONCE =
  'Too many of your requests read this record at once. Wait for Retry-After and ask again.'

/**
 * Runs a statement that may disclose the record's profile; refuses it if the hour of the record has `perHour`
 * disclosures, or would have them if all that are running disclosed it: so parallel requests cannot exceed the limit. It
 * counts if `isDisclosed` says so. The hour begins with the first disclosure.
 */
export async function limitDisclosures<Result>(
  record: RecordKey,
  perHour: number,
  disclose: () => Promise<Result>,
  isDisclosed: (result: Result) => boolean,
): Promise<Result> {
  const key = keyOf(record)
  const window = windowOf(key)
  const others = running.get(key) ?? { statements: 0 }
  const [disclosed, started] = [window?.disclosures ?? 0, others.statements]
  if (disclosed + started >= perHour)
    throw window && disclosed >= perHour
      ? limited(TOO_OFTEN, window.endsAtMs - performance.now())
      : limited(TOO_MANY_AT_ONCE, 1_000)
  others.statements++
  running.set(key, others)
  const isCurrent = () => running.get(key) === others
  try {
    const result = await disclose()
    if (isDisclosed(result) && isCurrent()) count(key)
    return result
  } finally {
    others.statements--
    if (!others.statements && isCurrent()) running.delete(key)
  }
}

const limited = (message: string, ms: number) =>
  new Failure('rate_limited', {
    retryAfterSeconds: Math.max(1, Math.ceil(ms / 1_000)),
    message,
    check: 'polling',
  })

function windowOf(key: string): Window | undefined {
  const window = windows.get(key)
  return window && performance.now() < window.endsAtMs ? window : undefined
}

function count(key: string): void {
  const current = windowOf(key)
  if (current) {
    current.disclosures++
    return
  }
  windows.delete(key)
  windows.set(key, { disclosures: 1, endsAtMs: performance.now() + HOUR_MS })
  // A map keeps the order of insertion, so the first window is the oldest.
  if (windows.size > MAX_ENTRIES) windows.delete(windows.keys().next().value!)
}

/**
 * Called when the record changes: the partner may read its new state at once. Without a record, any of them may have
 * changed.
 */
export function forgetDisclosures(record?: RecordKey): void {
  for (const counts of [windows, running])
    if (record) counts.delete(keyOf(record))
    else counts.clear()
}
