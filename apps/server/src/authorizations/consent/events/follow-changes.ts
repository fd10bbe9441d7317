import type { Database } from '../../../database/connect.ts'
import { listChangesSince, MAX_CHANGES, type StateChange } from './store.ts'

/** A change is dated when its statement runs and visible when its transaction commits, so each read begins this long before the last change. */
const OVERLAP_MS = 5_000

/** Reads the changes of one citizen's records; each call of `next` returns those that the calls before did not return. */
export function followChanges(db: Database, citizenId: number, since: Date) {
  let latestMs = since.getTime()
  let returned = new Map<string, number>()

  async function paginate(): Promise<{ fresh: StateChange[]; isLast: boolean }> {
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
        const page = await paginate()
        changes.push(...page.fresh)
        isLast = page.isLast
      }
      return changes
    },
  }
}

const keyOf = ({ tracking_no, state }: StateChange) => `${tracking_no} ${state}`
