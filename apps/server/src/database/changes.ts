import { EventEmitter } from 'node:events'
import type { Schemas } from '@tiwala/contract'
import { sql } from 'kysely'

/** A record changed, whichever process changed it. Without personal data. */
export type Change = {
  type: Schemas['CitizenEvent']['type']
  at: string
  tracking_no: string
  state: Schemas['AuthorizationState']
  partner_id: number
  citizen_id: number
}

/** `undefined`: something may have been missed; look for yourself. */
type Listener = (change: Change | undefined) => void

/** The channel of LISTEN and NOTIFY. */
export const CHANNEL = 'tiwala'
const CLOCK_MOVED = 'clock moved'
const EVENT_DUE = 'event due'

/** A time as JSON has it everywhere else (RFC 3339, milliseconds, UTC). */
export const utc = (time: string) => sql`to_char(${sql.raw(time)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** A column that announces the record `r` to every process, once its transaction has committed. */
export const announced = (type: Change['type']) => sql`pg_notify(${CHANNEL}, json_build_object(
      'type', ${type}::text, 'at', ${utc('clock_now()')},
      'tracking_no', r.tracking_no, 'state', r.state, 'partner_id', r.partner_id, 'citizen_id', r.citizen_id)::text)`

export const announcedClock = sql`pg_notify(${CHANNEL}, ${CLOCK_MOVED})`
/** For events that no change of a record announces, and that somebody waits to see. */
export const announcedEvent = sql`pg_notify(${CHANNEL}, ${EVENT_DUE})`

export type Changes = ReturnType<typeof createChanges>

/**
 * What the database announces, passed on to whoever waits in this process. It only saves time: who hears nothing finds
 * everything in the database.
 */
export function createChanges() {
  const emitter = new EventEmitter().setMaxListeners(0)
  let waiting = 0
  let hasEnded = false
  const wakeEverybody = () => emitter.eventNames().forEach((name) => emitter.emit(name))

  function wait(name: string, listener: Listener): () => void {
    waiting++
    emitter.on(name, listener)
    return () => {
      waiting--
      emitter.off(name, listener)
    }
  }

  return {
    receive(payload: string): void {
      if (payload === CLOCK_MOVED) return wakeEverybody()
      if (payload === EVENT_DUE) return void emitter.emit(DUE)
      const change = JSON.parse(payload) as Change
      for (const name of [ANY, recordKey(change), citizenKey(change.citizen_id)]) emitter.emit(name, change)
    },
    wakeEverybody,
    /** The process ends: nobody is to wait any longer. */
    end(): void {
      hasEnded = true
      wakeEverybody()
    },
    hasEnded: () => hasEnded,
    /** How many wait for one record's or one citizen's changes. */
    waiting: () => waiting,
    onAny(listener: Listener): () => void {
      emitter.on(ANY, listener)
      return () => void emitter.off(ANY, listener)
    },
    /** Events may be due: with any change, too. */
    onDue(listener: () => void): () => void {
      for (const name of [ANY, DUE]) emitter.on(name, listener)
      return () => [ANY, DUE].forEach((name) => emitter.off(name, listener))
    },
    onRecord: (record: Pick<Change, 'partner_id' | 'tracking_no'>, listener: Listener) => wait(recordKey(record), listener),
    onCitizen: (citizenId: number, listener: Listener) => wait(citizenKey(citizenId), listener),
  }
}

const ANY = 'any'
const DUE = 'due'
const recordKey = ({ partner_id, tracking_no }: Pick<Change, 'partner_id' | 'tracking_no'>) => `record ${partner_id} ${tracking_no}`
const citizenKey = (citizenId: number) => `citizen ${citizenId}`
