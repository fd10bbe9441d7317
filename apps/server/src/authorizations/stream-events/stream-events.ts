import type { Schemas } from '@tiwala/contract'
import { Failure, unknownCitizen } from '../../failure.ts'
import type { Operation } from '../../operation.ts'
import { followChanges } from './follow-changes.ts'
import { findListener, type StateChange } from './stream-events.sql.ts'

const HEARTBEAT_MS = 15_000

/** A stream also ends when the token that opened it expires. The app connects again with a new token. */
const MAX_STREAM_MS = 300_000

const RECONNECT_MS = 2_000

const DAY_MS = 86_400_000

/** A notification only wakes the stream. Every event is read from the database. */
export const streamEvents: Operation<'streamEvents'> = async (service, { caller, header, onClose, slot }) => {
  const { db, config, notifications, concurrencyCaps } = service
  const lastEventId = header('Last-Event-ID')
  if (lastEventId !== undefined && !/^\d{1,14}$/.test(lastEventId))
    throw new Failure('validation_failed', {
      errors: { 'Last-Event-ID': ['is not the id of an event of this stream'] },
    })
  const listener = await findListener(db, caller.uniqidHmacs)
  if (!listener) throw unknownCitizen()
  if (notifications.isFull()) throw new Failure('unavailable', { retryAfterSeconds: 5 })
  const closeStream = concurrencyCaps.streamsOfCitizen.acquire(listener.id)
  if (!closeStream)
    throw new Failure('rate_limited', {
      retryAfterSeconds: 5,
      message: 'This citizen has too many open event streams',
    })
  const openedAtMs = listener.now.getTime()
  // Older records are deleted.
  const oldestMs = openedAtMs - config.retention.recordsDays * DAY_MS
  const lastSeenMs =
    lastEventId === undefined ? undefined : Math.max(oldestMs, Math.min(Number(lastEventId), openedAtMs))
  let isDue = false
  let isOver = false
  let wake = () => {}
  const onChange = () => {
    isDue = true
    wake()
  }
  const stopListening = notifications.onCitizen(listener.id, onChange)
  const end = () => {
    isOver = true
    wake()
  }
  onClose(() => {
    closeStream()
    stopListening()
    end()
  })
  // Read before the response starts, so that every later change counts as new.
  const follower = followChanges(db, {
    citizenId: listener.id,
    sinceMs: lastSeenMs ?? openedAtMs,
    nowMs: openedAtMs,
    answerSeconds: config.authorizationTtlSeconds,
  })
  const first = await follower.next()
  isDue ||= first.hasMore
  slot.release()

  async function* stream(): AsyncGenerator<string> {
    let latestMs = lastSeenMs ?? openedAtMs
    const toText = (change: StateChange) => {
      const event = toEvent(change)
      latestMs = Math.max(latestMs, change.position.getTime())
      return `id: ${latestMs}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
    }
    const timers = [
      setTimeout(end, Math.min(MAX_STREAM_MS, caller.tokenExpiresAtMs - Date.now())),
      // The notification of a change may be lost, so each heartbeat also reads.
      setInterval(onChange, HEARTBEAT_MS),
    ]
    try {
      yield `retry: ${RECONNECT_MS}\n\n`
      if (lastSeenMs !== undefined)
        yield* first.changes
          .filter(({ position, is_current }) => position.getTime() > lastSeenMs || is_current)
          .map(toText)
      for (;;) {
        if (!isDue && !isOver && !notifications.isClosed())
          await new Promise<void>((resolve) => (wake = resolve))
        if (isOver || notifications.isClosed()) return
        isDue = false
        // Without a slot in time the stream ends; the app connects again and continues after the last event.
        if (!(await slot.reacquire())) return
        const { changes, hasMore } = await follower.next().finally(slot.release)
        isDue ||= hasMore
        if (changes.length === 0) yield ':\n\n'
        yield* changes.map(toText)
      }
    } finally {
      timers.forEach((timer) => clearTimeout(timer))
    }
  }
  return { status: 200, stream: stream() }
}

const toEvent = ({ tracking_no, state, at }: StateChange): Schemas['CitizenEvent'] => ({
  type: TYPES[state],
  timestamp: at.toISOString(),
  data: { tracking_no, state },
})

const TYPES: Record<StateChange['state'], Schemas['CitizenEvent']['type']> = {
  PENDING: 'authorization.requested',
  ACCEPTED: 'authorization.accepted',
  DECLINED: 'authorization.declined',
  EXPIRED: 'authorization.expired',
  CANCELLED: 'authorization.cancelled',
  REVOKED: 'authorization.revoked',
  VIEWED: 'profile.viewed',
}
