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

const keyOf = ({ partner_id, tracking_no }: RecordKey) => `${partner_id} ${tracking_no}`

const MESSAGE = 'This profile was read too often. Store what you need of it, and wait for Retry-After.'

/**
 * Runs a statement that may disclose the record's profile; refuses it if the hour of the record has `perHour`
 * disclosures. It is counted before it runs, so that parallel requests cannot exceed the limit, and no longer if
 * `isDisclosed` says that it disclosed nothing. The hour begins with the first disclosure.
 */
export async function limitDisclosures<Result>(
  record: RecordKey,
  perHour: number,
  disclose: () => Promise<Result>,
  isDisclosed: (result: Result) => boolean,
): Promise<Result> {
  const key = keyOf(record)
  const window = windowOf(key)
  if (window.disclosures >= perHour)
    throw new Failure('rate_limited', {
      retryAfterSeconds: Math.max(1, Math.ceil((window.endsAtMs - performance.now()) / 1_000)),
      message: MESSAGE,
      check: 'polling',
    })
  window.disclosures++
  let isCounted = false
  try {
    const result = await disclose()
    isCounted = isDisclosed(result)
    return result
  } finally {
    if (!isCounted && --window.disclosures === 0 && windows.get(key) === window) windows.delete(key)
  }
}

function windowOf(key: string): Window {
  const nowMs = performance.now()
  const current = windows.get(key)
  if (current && nowMs < current.endsAtMs) return current
  const window = { disclosures: 0, endsAtMs: nowMs + HOUR_MS }
  windows.delete(key)
  windows.set(key, window)
  // A map keeps the order of insertion, so the first window is the oldest.
  if (windows.size > MAX_ENTRIES) windows.delete(windows.keys().next().value!)
  return window
}

/** Called when the record changes: the partner may read its new state at once. */
export const forgetDisclosures = (record: RecordKey): void => void windows.delete(keyOf(record))
