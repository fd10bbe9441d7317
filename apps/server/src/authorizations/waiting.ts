import type { RecordKey } from '../database/notifications.ts'
import { Failure } from '../failure.ts'
import type { ConcurrencyCaps } from '../limits/concurrency-caps.ts'
import type { Call, Service } from '../operation.ts'
import type { RecordRow } from './record.ts'

/** How long after its end a pending record is looked at, so that it has ended by the database's clock, too. */
const EXPIRY_MARGIN_MS = 20
/** When a request that may not wait should be sent again. */
const RETRY_WAIT_SECONDS = 2

/** `Prefer: wait=25` among other preferences (RFC 7240, sections 2 and 4.3); 0 where it is not asked for. */
export function preferredWaitSeconds(prefer: string | undefined): number {
  const [, seconds] = /(?:^|,)\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:[;,]|$)/i.exec(prefer ?? '') ?? []
  return Number(seconds ?? 0)
}

/**
 * Reads a record; while it is pending, waits for a notification of a change or for the time to run out, and reads it again.
 * Meanwhile the database is not queried.
 */
export async function readOrWait(
  { notifications, config, caps }: Service,
  record: RecordKey,
  read: () => Promise<RecordRow & { secret_seconds_left: number }>,
  waitSeconds: number,
  { onClose, slot }: Pick<Call<'inquire'>, 'onClose' | 'slot'>,
): Promise<RecordRow> {
  const deadlineMs = performance.now() + waitSeconds * 1000
  let wake = () => {}
  let endWait: (() => void) | undefined
  let isGone = false
  onClose(() => {
    isGone = true
    wake()
  })
  const stopListening = notifications.onRecord(record, () => wake())
  // Who waits already keeps their place.
  const isTooMany = notifications.waiting() > config.maxWaiting
  try {
    for (;;) {
      // Made before reading: what changes in between is heard.
      const woken = new Promise<void>((resolve) => (wake = resolve))
      const row = await read()
      // The wait ends with the record, and with the secret that the caller was authenticated by.
      const secondsLeft = Math.min(row.seconds_left, row.secret_seconds_left)
      const leftMs = Math.min(deadlineMs - performance.now(), secondsLeft * 1000 + EXPIRY_MARGIN_MS)
      if (row.state !== 'PENDING' || leftMs <= 0 || isGone || notifications.isClosed() || isTooMany) return row
      endWait ??= beginWait(caps, record)
      const timer = setTimeout(wake, leftMs)
      slot.release()
      await woken
      clearTimeout(timer)
      // Nobody is there to be told; or all who wait are woken at once, and what was read last is good enough to end with.
      if (isGone || notifications.isClosed() || !(await slot.reacquire())) return row
    }
  } finally {
    endWait?.()
    stopListening()
  }
}

/** Refuses to wait where too many requests of the partner wait, or too many for the record. */
function beginWait({ waitsOfPartner, waitsOfRecord }: ConcurrencyCaps, { partner_id, tracking_no }: RecordKey): () => void {
  const endOfPartner = waitsOfPartner.open(partner_id)
  const endOfRecord = endOfPartner && waitsOfRecord.open(`${partner_id} ${tracking_no}`)
  if (endOfRecord)
    return () => {
      endOfPartner()
      endOfRecord()
    }
  endOfPartner?.()
  const message = endOfPartner ? 'Too many requests wait for this record' : 'Too many of your requests wait'
  throw new Failure('rate_limited', { retryAfterSeconds: RETRY_WAIT_SECONDS, message, check: 'polling' })
}
