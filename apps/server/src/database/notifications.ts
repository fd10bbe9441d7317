import { EventEmitter } from 'node:events'
import { sql } from 'kysely'
import { type Throttled, throttled } from './throttle.ts'

/** The channel of LISTEN and NOTIFY. Every role that may connect to the database can notify on it. */
export const CHANNEL = 'tiwala'

/**
 * A notification is only a hint that something may have changed: it says where to look, and its receiver reads the database before it does
 * anything. So a forged notification causes a read, and a lost one a delay. Format: the kind, then its arguments, separated by spaces.
 */
export type Hint =
  | { kind: 'record'; partner_id: number; citizen_id: number; tracking_no: string }
  /** What a partner may do has changed, or one of its secrets. Triggers of the tables notify. */
  | { kind: 'partner'; partner_id: number }
  /** The database's clock was moved. */
  | { kind: 'clock' }
  /** An event to a partner is due. */
  | { kind: 'event' }

/** The texts that are understood. Each other text is ignored. */
const KINDS: { format: RegExp; hint: (args: string[]) => Hint }[] = [
  {
    format: /^record (\d{1,15}) (\d{1,15}) ([0-9A-Z]{26})$/,
    hint: ([partner, citizen, tracking]) => ({
      kind: 'record',
      partner_id: Number(partner),
      citizen_id: Number(citizen),
      tracking_no: tracking!,
    }),
  },
  { format: /^partner (\d{1,15})$/, hint: ([partner]) => ({ kind: 'partner', partner_id: Number(partner) }) },
  { format: /^clock$/, hint: () => ({ kind: 'clock' }) },
  { format: /^event$/, hint: () => ({ kind: 'event' }) },
]

/** `undefined`: not a text of ours. */
export function parseHint(payload: string): Hint | undefined {
  for (const { format, hint } of KINDS) {
    const match = format.exec(payload)
    if (match) return hint(match.slice(1))
  }
  return undefined
}

/** A column that notifies every process of the record `r`, once the transaction has committed. */
export const notifyRecord = sql`pg_notify(${CHANNEL}, concat_ws(' ', 'record', r.partner_id, r.citizen_id, r.tracking_no))`
export const notifyClock = sql`pg_notify(${CHANNEL}, 'clock')`
/** For events to partners that come without a change of a record. */
export const notifyEvent = sql`pg_notify(${CHANNEL}, 'event')`

export type RecordKey = { partner_id: number; tracking_no: string }

const ANY_RECORD = 'any record'
const EVENT = 'event'
const CLOCK = 'clock'
const recordTopic = ({ partner_id, tracking_no }: RecordKey) => `record ${partner_id} ${tracking_no}`
const partnerTopic = (partnerId: number) => `partner ${partnerId}`
const citizenTopic = (citizenId: number) => `citizen ${citizenId}`

/** Partners wait for events, so the delivery worker's pauses do not grow. */
const EVENT_PAUSE_MS = 50

export type Notifications = ReturnType<typeof createNotifications>

/**
 * Wakes the requests and workers of this process that wait for a change: at once, and then with pauses while notifications go on arriving
 * (`throttled`). `readAdvance` reads how far the clock was moved.
 */
export function createNotifications(readAdvance: () => Promise<unknown>) {
  const topics = new EventEmitter().setMaxListeners(0)
  const waits = new Set<() => void>()
  let hasEnded = false
  let knownAdvance: unknown

  function subscribe(names: string[], subscriber: Throttled): () => void {
    for (const name of names) topics.on(name, subscriber.call)
    return () => {
      subscriber.stop()
      for (const name of names) topics.off(name, subscriber.call)
    }
  }

  function wait(names: string[], wake: () => void): () => void {
    const unsubscribe = subscribe(names, throttled(wake))
    waits.add(wake)
    return () => {
      unsubscribe()
      waits.delete(wake)
    }
  }

  const wakeAll = () => topics.eventNames().forEach((name) => topics.emit(name))

  /** Every subscriber wakes when the clock was moved, so the server checks first that it was. */
  const checkClock = throttled(async () => {
    try {
      const advance = await readAdvance()
      if (advance === knownAdvance) return
      knownAdvance = advance
      wakeAll()
    } catch {
      // The database cannot answer now: check again after the pause.
      checkClock.call()
    }
  })

  return {
    /** Takes the text of a notification, which any role of the database can have sent. */
    receive(payload: string): void {
      const hint = parseHint(payload)
      if (hint?.kind === 'clock') checkClock.call()
      if (hint?.kind === 'event') topics.emit(EVENT)
      if (hint?.kind === 'partner') topics.emit(partnerTopic(hint.partner_id))
      if (hint?.kind === 'record')
        for (const name of [ANY_RECORD, recordTopic(hint), citizenTopic(hint.citizen_id)]) topics.emit(name, hint)
    },
    /** Notifications may have been missed. */
    wakeAll,
    /** The process ends: every wait ends now. */
    end(): void {
      hasEnded = true
      checkClock.stop()
      waits.forEach((wake) => wake())
    },
    hasEnded: () => hasEnded,
    /** The number of requests that wait for a change of one record or of one citizen's records. */
    waiting: () => waits.size,
    /** Without a pause and for each notification, so the listener must not ask the database. */
    onEachRecord(listener: (record: RecordKey) => void): void {
      topics.on(ANY_RECORD, (record?: RecordKey) => record && listener(record))
    },
    /** The clock was moved, or notifications were missed. */
    onClock: (listener: () => void) => subscribe([CLOCK], throttled(listener)),
    /** An event to a partner may be due, as after each change of a record. */
    onEvent: (listener: () => void) => subscribe([ANY_RECORD, EVENT], throttled(listener, EVENT_PAUSE_MS)),
    /** The record changed, or the access of the partner that waits for it. */
    onRecord: (record: RecordKey, wake: () => void) => wait([recordTopic(record), partnerTopic(record.partner_id)], wake),
    onCitizen: (citizenId: number, wake: () => void) => wait([citizenTopic(citizenId)], wake),
  }
}
