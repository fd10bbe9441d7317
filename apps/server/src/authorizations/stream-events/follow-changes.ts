import type { Database } from '../../database/connect.ts'
import { type StateChange, listChanges, MAX_CHANGES } from './stream-events.sql.ts'

/**
 * A change gets its time when its statement runs and becomes visible when its transaction commits. Each read
 * therefore starts this long before the latest change.
 */
const OVERLAP_MS = 5_000

const HOUR_MS = 3_600_000
/** A read of the past covers a day, so that it is bounded for a citizen with many records; after a full page an hour. */
const DAY_MS = 24 * HOUR_MS

type Start = { citizenId: number; sinceMs: number; nowMs: number; answerSeconds: number }

/** Reads the changes of one citizen's records. `sinceMs` and `nowMs` are positions. */
export function followChanges(db: Database, { citizenId, sinceMs, nowMs, answerSeconds }: Start) {
  let latestMs = sinceMs
  let spanMs = DAY_MS
  let returned = new Map<string, number>()

  async function readPage(): Promise<{ changes: StateChange[]; hasMore: boolean }> {
    const untilMs = latestMs + spanMs < nowMs ? latestMs + spanMs : undefined
    const span = {
      since: new Date(Math.max(0, latestMs - OVERLAP_MS)),
      until: untilMs === undefined ? undefined : new Date(untilMs),
    }
    const page = await listChanges(db, citizenId, span, answerSeconds)
    const changes = page.filter((change) => !returned.has(keyOf(change)))
    for (const change of page) returned.set(keyOf(change), change.position.getTime())
    const isFull = page.length === MAX_CHANGES && changes.length > 0
    latestMs = Math.max(latestMs, ...page.map(({ position }) => position.getTime()))
    if (!isFull) latestMs = Math.max(latestMs, untilMs ?? 0)
    spanMs = isFull ? HOUR_MS : DAY_MS
    returned = new Map([...returned].filter(([, atMs]) => atMs >= latestMs - OVERLAP_MS))
    return { changes, hasMore: isFull || untilMs !== undefined }
  }

  return {
    /** The next changes that no earlier call returned. `hasMore`: there are later ones, perhaps. */
    async next(): Promise<{ changes: StateChange[]; hasMore: boolean }> {
      for (;;) {
        const page = await readPage()
        if (page.changes.length > 0 || !page.hasMore) return page
      }
    },
  }
}

const keyOf = ({ tracking_no, state }: StateChange) => `${tracking_no} ${state}`
