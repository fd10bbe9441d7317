// `inquire` with `Prefer: wait`: the response waits until the citizen answers, instead of the partner
// polling.
//
// A waiting request subscribes to the notifications of its record and reads the record. While the record is
// pending, the request releases its slot and sleeps. It wakes when the record changes, when the record or the
// partner's secret expires, when the wait is over, when the connection closes, or when the service stops.
// Then it takes a slot and reads the record again.
//
// States: reading (has a slot), sleeping (has no slot), ended.
//
// Example: a partner sends `Prefer: wait=25`. After 8 seconds the citizen accepts; the notification wakes the
// request, which reads the accepted record and responds. Without an answer it responds with the pending
// record after 25 seconds.
//
// Guarantees: a change between two reads is never missed, since the subscription starts before the first
// read. A sleeping request does not query the database. Each read checks again that the partner may have the
// record. A partner, and a record, have a bounded number of waiting requests.
import type { RecordKey } from '../../database/notifications.ts'
import { Failure } from '../../failure.ts'
import type { ConcurrencyCaps } from '../../limits/concurrency-caps.ts'
import type { Service, Call } from '../../operation.ts'
import type { RecordRow } from '../record.ts'

/**
 * A pending record is read this long after it expires, so that it has expired by the database's clock, too.
 */
const EXPIRY_MARGIN_MS = 20

/** `Retry-After` of a request that may not wait. */
const RETRY_WAIT_SECONDS = 2

/** A quoted string. One without an end is read to the end, so that the search takes linear time. */
const QUOTED = /"((?:[^"\\]|\\.)*)"?/g

/** `Prefer: wait=25` among other preferences (RFC 7240, sections 2 and 4.3). 0: no wait is preferred. */
export function preferredWaitSeconds(prefer = ''): number {
  // The value of another preference may hold any text, in quotes.
  const unquoted = prefer.replaceAll(QUOTED, (_, text: string) => (/^\d+$/.test(text) ? text : ''))
  const [, seconds] = /(?:^|,)\s*wait\s*=\s*(\d+)\s*(?:[;,]|$)/i.exec(unquoted) ?? []
  return Number(seconds ?? 0)
}

/** Reads a record and, while it is pending, waits at most `waitSeconds` for a change of it. */
export async function readOrWait<Row extends RecordRow & { secret_seconds_left: number }>(
  { notifications, concurrencyCaps }: Service,
  record: RecordKey,
  read: () => Promise<Row>,
  waitSeconds: number,
  { onClose, slot }: Pick<Call<'inquire'>, 'onClose' | 'slot'>,
): Promise<Row> {
  const deadlineAtMs = performance.now() + waitSeconds * 1000
  let wake = () => {}
  let endWait: (() => void) | undefined
  let isClosed = false
  onClose(() => {
    isClosed = true
    wake()
  })
  // Checked once: a request that already waits may continue.
  const isWaitLimitReached = notifications.isFull()
  const stopListening = notifications.onRecord(record, () => wake())
  try {
    for (;;) {
      // Created before the read, so that a change after the read wakes the request.
      const woken = new Promise<void>((resolve) => (wake = resolve))
      const row = await read()
      // The wait ends when the record expires, or the secret by which the partner was authenticated.
      const secondsLeft = Math.min(row.seconds_left, row.secret_seconds_left)
      const leftMs = Math.min(deadlineAtMs - performance.now(), secondsLeft * 1000 + EXPIRY_MARGIN_MS)
      if (
        row.state !== 'PENDING' ||
        leftMs <= 0 ||
        isClosed ||
        notifications.isClosed() ||
        isWaitLimitReached
      )
        return row
      endWait ??= startWait(concurrencyCaps, record)
      const timer = setTimeout(wake, leftMs)
      slot.release()
      await woken
      clearTimeout(timer)
      // The client has disconnected, the service stops, or no slot is free: respond with the record as it was
      // last read.
      if (isClosed || notifications.isClosed() || !(await slot.reacquire())) return row
    }
  } finally {
    endWait?.()
    stopListening()
  }
}

/** Counts the wait; refuses it if too many requests of the partner, or for the record, already wait. */
function startWait(
  { waitsOfPartner, waitsOfRecord }: ConcurrencyCaps,
  { partner_id, tracking_no }: RecordKey,
): () => void {
  const endOfPartner = waitsOfPartner.acquire(partner_id)
  const endOfRecord = endOfPartner && waitsOfRecord.acquire(`${partner_id} ${tracking_no}`)
  if (endOfRecord)
    return () => {
      endOfPartner()
      endOfRecord()
    }
  endOfPartner?.()
  const message = endOfPartner
    ? 'Too many requests wait for this record. Wait for Retry-After and ask again.'
    : 'Too many of your requests wait. Wait for Retry-After and ask again.'
  throw new Failure('rate_limited', { retryAfterSeconds: RETRY_WAIT_SECONDS, message, check: 'polling' })
}
