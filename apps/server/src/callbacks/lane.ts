import { startLoop } from '../loop.ts'

/** A slow endpoint holds few of the hands, and a process that dies leaves few attempts of unknown outcome. */
const MOST_AT_ONCE_PER_GROUP = 4
const MOST_AT_ONCE = 64
/** Jobs left behind by a dead process, or queued by another one, are found by looking. */
const LOOK_EVERY_MS = 1_000

type Lane<Job> = {
  fetch: (limit: number, withoutGroups: string[]) => Promise<Job[]>
  groupOf: (job: Job) => string
  /** Must not reject. */
  handle: (job: Job) => Promise<void>
}

/** Fetches jobs and handles many of them at once, of each group a few, until it is ended. */
export function startLane<Job>({ fetch, groupOf, handle }: Lane<Job>) {
  const busy = new Map<string, number>()
  const underWay = new Set<Promise<void>>()
  function begin(job: Job): void {
    const group = groupOf(job)
    busy.set(group, (busy.get(group) ?? 0) + 1)
    const done = handle(job).finally(() => {
      const left = busy.get(group)! - 1
      if (left) busy.set(group, left)
      else busy.delete(group)
      underWay.delete(done)
      fetching.wake()
    })
    underWay.add(done)
  }

  const fetching = startLoop(LOOK_EVERY_MS, async () => {
    const room = MOST_AT_ONCE - underWay.size
    const full = [...busy].filter(([, count]) => count >= MOST_AT_ONCE_PER_GROUP).map(([group]) => group)
    const jobs = room > 0 ? await fetch(Math.min(room, MOST_AT_ONCE_PER_GROUP), full) : []
    jobs.forEach(begin)
    return jobs.length > 0
  })

  return {
    wake: fetching.wake,
    /** Fetches no more; resolves when what is under way has been handled. */
    end: async () => {
      await fetching.end()
      await Promise.all(underWay)
    },
  }
}
