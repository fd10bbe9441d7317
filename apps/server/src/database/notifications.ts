// Notifications: changes that one process publishes to all processes through LISTEN and NOTIFY of PostgreSQL,
// and that wake the requests and workers of this process that wait for them.
//
// A notification says only that something may have changed and where to look. Its receiver reads the database
// before it does anything. So a forged notification causes a read, and a lost one a delay. Its text is the
// kind, then its arguments, separated by spaces: `record 7 12 <tracking number>`, `partner 7`, `event`,
// `sign_in <id>`. The last three are also the topics of their subscribers.
//
// - `record` wakes the requests that wait for this record or for the records of its citizen, and the delivery
//   worker.
// - `partner` wakes the requests of this partner that wait for a record. Triggers of the tables send it.
// - `event` wakes the delivery worker.
// - `sign_in` wakes the page of a browser that waits for the citizen.
//
// A statement returns its notification in the column `notice`. It is sent after the statement is committed
// (`publish-notices.ts`): a transaction that notifies holds a lock of PostgreSQL until its commit, and all such
// transactions would commit one after the other. Only the triggers of partners and secrets notify inside the
// transaction, because administrators change these rarely.
//
// Example: partner 7 waits for a record with `Prefer: wait`. The citizen accepts; the statement commits and
// returns the notice `record 7 ...`; every process receives it, and the waiting request reads the record.
//
// Guarantees: a subscriber runs at once, and then with pauses while notifications go on (`throttle.ts`).
// After a notification, or after a connection loss in which some may have been missed, each subscriber that
// it concerns runs. If a process dies between a commit and its notification, the
// notification is lost, so each subscriber also reads by itself after a time that its file states.
import { EventEmitter } from 'node:events'
import { sql } from 'kysely'
import { type Throttled, throttled } from './throttle.ts'

/** The channel of LISTEN and NOTIFY. Every role that may connect to the database can notify on it. */
export const CHANNEL = 'tiwala'

/** Other texts are ignored. */
const TOPIC = /^(?:partner \d{1,15}|event|sign_in [0-9A-Z]{26})$/
const RECORD = /^record (\d{1,15}) (\d{1,15}) ([0-9A-Z]{26})$/

/** A column: the notification of the record `r`; null if there is none. */
export const RECORD_NOTICE = sql`
  'record ' || r.partner_id || ' ' || r.citizen_id || ' ' || r.tracking_no as notice`
/** For events to partners that are not caused by a change of a record. */
export const EVENT_NOTICE = sql`'event' as notice`
/** A column: the notification of the sign-in request `r`. */
export const SIGN_IN_NOTICE = sql`'sign_in ' || r.id as notice`

export type RecordKey = { partner_id: number; tracking_no: string }

const ANY_RECORD = 'any record'
const recordTopic = ({ partner_id, tracking_no }: RecordKey) => `record ${partner_id} ${tracking_no}`

type WaitKind = 'inquiry' | 'event_stream' | 'sign_in'

/** Partners wait for events, so the delivery worker's pauses do not grow. */
const EVENT_PAUSE_MS = 50

export type Notifications = ReturnType<typeof createNotifications>

/** `maxWaiting`: how many inquiries and event streams may wait, and how many pages of sign-ins. */
export function createNotifications(maxWaiting: number) {
  const topics = new EventEmitter().setMaxListeners(0)
  const waits: Record<WaitKind, Set<() => void>> = {
    inquiry: new Set(),
    event_stream: new Set(),
    sign_in: new Set(),
  }
  let isClosed = false

  function subscribe(names: string[], subscriber: Throttled): () => void {
    for (const name of names) topics.on(name, subscriber.call)
    return () => {
      subscriber.stop()
      for (const name of names) topics.off(name, subscriber.call)
    }
  }

  function wait(kind: WaitKind, names: string[], wake: () => void): () => void {
    const unsubscribe = subscribe(names, throttled(wake))
    waits[kind].add(wake)
    return () => {
      unsubscribe()
      waits[kind].delete(wake)
    }
  }

  /** Calls each subscriber once, although it has several topics: after a second call, it would run again. */
  function wakeAll(): void {
    const subscribers = topics.eventNames().flatMap((name) => topics.listeners(name) as (() => void)[])
    for (const call of new Set(subscribers)) call()
  }

  return {
    /** Handles the text of a notification. Any role of the database may have sent it. */
    receive(payload: string): void {
      if (TOPIC.test(payload)) topics.emit(payload)
      const match = RECORD.exec(payload)
      if (!match) return
      const [, partnerId, citizenId, trackingNo] = match
      const record: RecordKey = { partner_id: Number(partnerId), tracking_no: trackingNo! }
      for (const name of [ANY_RECORD, recordTopic(record), `citizen ${citizenId}`]) topics.emit(name, record)
    },
    /** For when notifications may have been missed. */
    wakeAll,
    /** The process stops: every wait ends now. */
    close(): void {
      isClosed = true
      for (const wakes of Object.values(waits)) for (const wake of wakes) wake()
    },
    isClosed: () => isClosed,
    /** The number of requests that wait for a change. */
    waiting: () => waits.inquiry.size + waits.event_stream.size + waits.sign_in.size,
    waitingByKind: (): Record<WaitKind, number> => ({
      inquiry: waits.inquiry.size,
      event_stream: waits.event_stream.size,
      sign_in: waits.sign_in.size,
    }),
    /** Whether no further inquiry or event stream may wait. */
    isFull: () => waits.inquiry.size + waits.event_stream.size >= maxWaiting,
    /** The pages of sign-ins are anonymous, so they count apart: they take no wait from partners and citizens. */
    isFullOfSignIns: () => waits.sign_in.size >= maxWaiting,
    /**
     * Called for each notification and without a pause, so the listener must not query the database. Without a
     * record: any may have changed.
     */
    onEachRecord(listener: (record?: RecordKey) => void): void {
      topics.on(ANY_RECORD, listener)
    },
    /** Called when notifications may have been missed: no notification has this topic. */
    onGap: (listener: () => void) => subscribe(['gap'], throttled(listener)),
    /** Called when an event to a partner may be due, for example after each change of a record. */
    onEvent: (listener: () => void) => subscribe([ANY_RECORD, 'event'], throttled(listener, EVENT_PAUSE_MS)),
    /** Called when the record changes, or the access of its partner. */
    onRecord: (record: RecordKey, wake: () => void) =>
      wait('inquiry', [recordTopic(record), `partner ${record.partner_id}`], wake),
    /** Called when the sign-in request changes. */
    onSignIn: (id: string, wake: () => void) => wait('sign_in', [`sign_in ${id}`], wake),
    onCitizen: (citizenId: number, wake: () => void) => wait('event_stream', [`citizen ${citizenId}`], wake),
  }
}
