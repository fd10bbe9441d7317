import type { Schemas } from '@tiwala/contract'
import type { Change } from '../../../database/changes.ts'
import { Failure } from '../../../http/failure.ts'
import type { Call, Operation, Service } from '../../../operation.ts'
import { type ChangedRecord, findListener, listChangedSince } from './store.ts'

const HEARTBEAT_MS = 15_000
/** A stream must not outlive the token that opened it by much: the app comes back with a fresh one. */
const LONGEST_STREAM_MS = 300_000
const RECONNECT_MS = 2_000
/** A change is dated a moment before it can be seen: so far back is looked, so that none is missed and some come twice. */
const OVERLAP_MS = 5_000

export const streamEvents: Operation<'streamEvents'> = async (service, { caller, header, onClose, place }) => {
  const last = header('Last-Event-ID')
  if (last !== undefined && !/^\d{1,14}$/.test(last))
    throw new Failure('validation_failed', { errors: { 'Last-Event-ID': ['is not the id of an event of ours'] } })
  const listener = await findListener(service.db, caller.uniqidMacs)
  if (!listener) throw new Failure('not_found', { message: 'The registry does not know this citizen' })
  if (service.changes.waiting() >= service.config.mostWaiting) throw new Failure('unavailable', { retryAfterSeconds: 5 })
  const lastSeenMs = last === undefined ? undefined : Number(last)
  return { status: 200, stream: tell(service, listener.id, lastSeenMs, listener.now.getTime(), { onClose, place }) }
}

async function* tell(
  { db, changes }: Service,
  citizenId: number,
  lastSeenMs: number | undefined,
  openedAtMs: number,
  { onClose, place }: Pick<Call<'streamEvents'>, 'onClose' | 'place'>,
): AsyncGenerator<string> {
  const heard: (Change | undefined)[] = lastSeenMs === undefined ? [] : [undefined]
  let wake = () => {}
  let isOver = false
  const end = () => {
    isOver = true
    wake()
  }
  onClose(end)
  const stopListening = changes.onCitizen(citizenId, (change) => {
    heard.push(change)
    wake()
  })
  const timers = [setTimeout(end, LONGEST_STREAM_MS), setInterval(() => wake(), HEARTBEAT_MS)]
  let toldUntilMs = lastSeenMs ?? openedAtMs
  place.leave()
  try {
    yield `retry: ${RECONNECT_MS}\n\n`
    while (!isOver && !changes.hasEnded()) {
      if (!heard.length) {
        await new Promise<void>((resolve) => (wake = resolve))
        if (!heard.length) yield ':\n\n'
      }
      for (const change of heard.splice(0)) {
        // Whose turn to look does not come asks again, and begins where this stream ended.
        if (!change && !(await place.retake())) return
        const events = change ? [toEvent(change)] : await missedBy(db, citizenId, toldUntilMs).finally(place.leave)
        for (const event of events) {
          toldUntilMs = Math.max(toldUntilMs, Date.parse(event.timestamp))
          yield `id: ${toldUntilMs}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
        }
      }
    }
  } finally {
    stopListening()
    timers.forEach((timer) => clearTimeout(timer))
  }
}

async function missedBy(db: Service['db'], citizenId: number, toldUntilMs: number): Promise<Schemas['CitizenEvent'][]> {
  const changed = await listChangedSince(db, citizenId, new Date(Math.max(0, toldUntilMs - OVERLAP_MS)))
  return changed.map((record) => toEvent({ ...record, type: typeOf(record), at: record.at.toISOString() }))
}

const toEvent = ({ type, at, tracking_no, state }: Pick<Change, 'type' | 'at' | 'tracking_no' | 'state'>): Schemas['CitizenEvent'] => ({
  type,
  timestamp: at,
  data: { tracking_no, state },
})

function typeOf({ state }: ChangedRecord): Change['type'] {
  if (state === 'PENDING') return 'authorization.requested'
  return state === 'VIEWED'
    ? 'profile.viewed'
    : `authorization.${state.toLowerCase() as Lowercase<Exclude<typeof state, 'PENDING' | 'VIEWED'>>}`
}
