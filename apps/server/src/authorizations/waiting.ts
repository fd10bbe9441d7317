import type { RecordKey } from '../database/changes.ts'
import type { Call, Service } from '../operation.ts'
import type { RecordRow } from './record.ts'

/** How long after its end a pending record is looked at, so that it has ended by the database's clock, too. */
const EXPIRY_MARGIN_MS = 20

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
  { changes, config }: Service,
  record: RecordKey,
  read: () => Promise<RecordRow & { secret_seconds_left: number }>,
  waitSeconds: number,
  { onClose, place }: Pick<Call<'inquire'>, 'onClose' | 'place'>,
): Promise<RecordRow> {
  const deadlineMs = performance.now() + waitSeconds * 1000
  let wake!: () => void
  let isGone = false
  onClose(() => {
    isGone = true
    wake()
  })
  const stopListening = changes.onRecord(record, () => wake())
  // Who waits already keeps their place.
  const isTooMany = changes.waiting() > config.mostWaiting
  try {
    for (;;) {
      // Made before reading: what changes in between is heard.
      const woken = new Promise<void>((resolve) => (wake = resolve))
      const row = await read()
      // The wait ends with the record, and with the secret that the caller was authenticated by.
      const secondsLeft = Math.min(row.seconds_left, row.secret_seconds_left)
      const leftMs = Math.min(deadlineMs - performance.now(), secondsLeft * 1000 + EXPIRY_MARGIN_MS)
      if (row.state !== 'PENDING' || leftMs <= 0 || isGone || changes.hasEnded() || isTooMany) return row
      const timer = setTimeout(wake, leftMs)
      place.leave()
      await woken
      clearTimeout(timer)
      // Nobody is there to be told; or all who wait are woken at once, and what was read last is good enough to end with.
      if (isGone || changes.hasEnded() || !(await place.retake())) return row
    }
  } finally {
    stopListening()
  }
}
