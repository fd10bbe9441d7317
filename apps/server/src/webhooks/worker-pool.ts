// Many jobs at once, with as few in flight as the rate needs: what is in flight when the process dies has an unknown outcome.
// Little's law says how many that are: jobs in flight = rate x duration. At 1,000 jobs a second of 5 ms each, 5; of 100 ms each, 100.
// The law is applied to the whole lane, and to each group (an endpoint) with its own duration. A job that takes long no longer counts
// for the whole lane, so that a dead endpoint holds up its own jobs and no others. Groups take turns.
import { startPollLoop } from '../background/poll-loop.ts'

const TARGET_PER_SECOND = 1_000
/** How many a group, and the lane, may have in flight before it is known how long their jobs take. */
const MIN_PER_GROUP = 2
const MIN_RECENT = 4
/** A job that takes longer than this is slow. */
const SLOW_MS = 100
const MAX_IN_FLIGHT = 256
/** How soon a group that has become slower is noticed, and how much one job says about the lane. */
const SLOWDOWN = 1.05
const WEIGHT = 0.05
/** Many jobs share a fetch. They wait here for a slot, and a group with so many waiting is not fetched for. */
const MAX_PER_FETCH = 16
const ENOUGH_WAITING = 4
/** Finds jobs that a dead process left behind, or that another process queued. */
const LOOK_EVERY_MS = 1_000

type Lane<Job> = {
  fetch: (limit: number, withoutGroups: string[]) => Promise<Job[]>
  groupOf: (job: Job) => string
  /** Must not reject. */
  handle: (job: Job) => Promise<void>
  maxPerGroup: number
}

/** `durationMs`: of the fastest of its latest jobs, which is not inflated by jobs that wait for each other. */
type Group<Job> = { waiting: Job[]; inFlight: number; durationMs: number | undefined }

const needed = (durationMs: number) => Math.ceil((TARGET_PER_SECOND * durationMs) / 1_000)

/** Fetches jobs and handles them until it is ended. */
export function startWorkerPool<Job>({ fetch, groupOf, handle, maxPerGroup }: Lane<Job>) {
  /** A small entry for each group that was ever seen, since it is needed again soon. */
  const groups = new Map<string, Group<Job>>()
  /** In the order of their turns. */
  const withWaiting = new Set<Group<Job>>()
  const inFlight = new Set<Promise<void>>()
  /** Jobs in flight that are not slow, and how long jobs take until they end or are slow. */
  let recent = 0
  let recentMs = 0

  const hasRoom = () => inFlight.size < MAX_IN_FLIGHT && recent < Math.max(MIN_RECENT, needed(recentMs))
  const isFull = ({ inFlight: used, durationMs = 0 }: Group<Job>) => {
    // A group may not have more slots than are free, so that many slow groups leave slots for the others.
    const free = MAX_IN_FLIGHT - inFlight.size
    return used >= Math.max(MIN_PER_GROUP, Math.min(needed(durationMs), free, maxPerGroup))
  }

  function startWaiting(): void {
    for (const group of withWaiting) {
      if (!hasRoom()) return
      if (isFull(group)) continue
      withWaiting.delete(group)
      start(group, group.waiting.shift()!)
      if (group.waiting.length > 0) withWaiting.add(group)
    }
  }

  function start(group: Group<Job>, job: Job): void {
    const startedAtMs = performance.now()
    group.inFlight++
    recent++
    let isRecent = true
    const endRecent = () => {
      if (isRecent) recent--
      isRecent = false
    }
    const slow = setTimeout(() => (endRecent(), startWaiting()), SLOW_MS)
    const done = handle(job).finally(() => {
      clearTimeout(slow)
      endRecent()
      group.inFlight--
      inFlight.delete(done)
      group.durationMs = Math.min(performance.now() - startedAtMs, (group.durationMs ?? Infinity) * SLOWDOWN)
      recentMs += (Math.min(group.durationMs, SLOW_MS) - recentMs) * WEIGHT
      startWaiting()
    })
    inFlight.add(done)
    if (group.waiting.length < ENOUGH_WAITING) fetching.wake()
  }

  const fetching = startPollLoop(LOOK_EVERY_MS, async () => {
    const stocked = [...groups].filter(([, { waiting }]) => waiting.length >= ENOUGH_WAITING).map(([name]) => name)
    const jobs = await fetch(MAX_PER_FETCH, stocked)
    for (const job of jobs) {
      const name = groupOf(job)
      const group = groups.get(name) ?? { waiting: [], inFlight: 0, durationMs: undefined }
      groups.set(name, group)
      group.waiting.push(job)
      withWaiting.add(group)
    }
    startWaiting()
    return jobs.length > 0
  })

  return {
    wake: fetching.wake,
    /** Fetches no more; resolves when all that was fetched has been handled. */
    end: async () => {
      await fetching.end()
      while (inFlight.size > 0) await Promise.all(inFlight)
    },
  }
}
