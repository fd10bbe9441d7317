import type { Database } from '../../database/connect.ts'
import { type StateChange, listChangesSince, MAX_CHANGES } from './stream-events.sql.ts'

/**
 * A change gets its time when its statement runs and becomes visible when its transaction commits. Each read
 * therefore starts this long before the latest change.
 */
const OVERLAP_MS = 5_000

/**
 * Reads the changes of one citizen's records; each `next()` returns the changes that earlier ones did not.
 */
export function followChanges(db: Database, citizenId: number, since: Date) {
  let latestMs = since.getTime()
  let returned = new Map<string, number>()

  async function readPage(): Promise<{ fresh: StateChange[]; isLast: boolean }> {
    const page = await listChangesSince(db, citizenId, new Date(Math.max(0, latestMs - OVERLAP_MS)))
    const fresh = page.filter((change) => !returned.has(keyOf(change)))
    for (const change of page) returned.set(keyOf(change), change.at.getTime())
    latestMs = Math.max(latestMs, ...page.map(({ at }) => at.getTime()))
    returned = new Map([...returned].filter(([, atMs]) => atMs >= latestMs - OVERLAP_MS))
    return { fresh, isLast: page.length < MAX_CHANGES || !fresh.length }
  }

  return {
    async next(): Promise<StateChange[]> {
      const changes: StateChange[] = []
      for (let isLast = false; !isLast;) {
        const page = await readPage()
        changes.push(...page.fresh)
        isLast = page.isLast
      }
      return changes
    },
  }
}

const keyOf = ({ tracking_no, state }: StateChange) => `${tracking_no} ${state}`
