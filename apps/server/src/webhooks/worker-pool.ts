// Runs many jobs at once, with only as many in flight as the target rate needs: if the process dies, the
// outcome of every job in flight is unknown.
//
// Little's law gives that number: jobs in flight = rate x duration. It is applied to the whole pool, and to
// each group (an endpoint) with its own duration.
//
// States of a job: waiting (fetched, in its group), in flight, done. A job in flight that takes longer than
// 100 ms is slow: it no longer counts for the pool, but still for its group.
//
// Example: at 1,000 jobs per second of 5 ms each, 5 jobs are in flight; of 100 ms each, 100.
//
// Guarantees: at most 256 jobs of a pool are in flight. Groups take turns. After 100 ms a slow job delays
// other groups only by the slot that it holds.
//
// Bound: a group may have 2 jobs in flight whenever the pool has a free slot. It gets more slots only while
// more are free than it holds, up to `maxPerGroup`. So a few slow groups leave slots for the others, but many
// (128 with 2 jobs each, or fewer with more) can hold all 256. Then all jobs wait until one ends.
import { startPollLoop } from '../background/poll-loop.ts'

const TARGET_PER_SECOND = 1_000
/** A group, and the pool, may have this many jobs in flight before the duration of their jobs is known. */
const MIN_PER_GROUP = 2
const MIN_FAST_IN_FLIGHT = 4
/** A job that takes longer than this is slow. */
const SLOW_MS = 100
const MAX_IN_FLIGHT = 256
/** The duration of a group grows at most by this factor per job. */
const MAX_DURATION_GROWTH = 1.05
/** The weight of one job in the average duration of the pool. */
const AVERAGE_WEIGHT = 0.05
/**
 * Jobs are fetched together and wait in their group for a slot. No more jobs are fetched for a group with
 * this many waiting.
 */
const MAX_PER_FETCH = 16
const ENOUGH_WAITING = 4
/** How often to look for jobs that another process queued, or left behind when it died. */
const FETCH_EVERY_MS = 1_000

type WorkerPool<Job> = {
  fetchJobs: (limit: number, withoutGroups: string[]) => Promise<Job[]>
  groupOf: (job: Job) => string
  /** Must not reject. */
  handleJob: (job: Job) => Promise<void>
  maxPerGroup: number
}

/**
 * `durationMs`: the duration of the fastest of the latest jobs. An average would include the time that jobs
 * wait for each other.
 */
type Group<Job> = { waiting: Job[]; inFlight: number; durationMs: number | undefined }

const slotsNeeded = (durationMs: number) => Math.ceil((TARGET_PER_SECOND * durationMs) / 1_000)

/** Fetches jobs and handles them until it is ended. */
export function startWorkerPool<Job>({ fetchJobs, groupOf, handleJob, maxPerGroup }: WorkerPool<Job>) {
  /** Entries are never removed: they are small and soon needed again. */
  const groups = new Map<string, Group<Job>>()
  /** Groups with waiting jobs, in the order of their turns. */
  const withWaiting = new Set<Group<Job>>()
  const inFlight = new Set<Promise<void>>()
  /**
   * The number of jobs in flight that are not slow, and the average time until a job ends or becomes slow.
   */
  let fastInFlight = 0
  let averageFastMs = 0

  const hasFreeSlot = () =>
    inFlight.size < MAX_IN_FLIGHT && fastInFlight < Math.max(MIN_FAST_IN_FLIGHT, slotsNeeded(averageFastMs))
  const isFull = ({ inFlight: used, durationMs = 0 }: Group<Job>) => {
    // A group may not have more slots than are free, so that many slow groups leave slots for the others.
    const free = MAX_IN_FLIGHT - inFlight.size
    return used >= Math.max(MIN_PER_GROUP, Math.min(slotsNeeded(durationMs), free, maxPerGroup))
  }

  function startWaiting(): void {
    for (const group of withWaiting) {
      if (!hasFreeSlot()) return
      if (isFull(group)) continue
      withWaiting.delete(group)
      start(group, group.waiting.shift()!)
      if (group.waiting.length > 0) withWaiting.add(group)
    }
  }

  function start(group: Group<Job>, job: Job): void {
    const startedAtMs = performance.now()
    group.inFlight++
    fastInFlight++
    let isFast = true
    const endFast = () => {
      if (isFast) fastInFlight--
      isFast = false
    }
    const slow = setTimeout(() => (endFast(), startWaiting()), SLOW_MS)
    const done = handleJob(job).finally(() => {
      clearTimeout(slow)
      endFast()
      group.inFlight--
      inFlight.delete(done)
      group.durationMs = Math.min(
        performance.now() - startedAtMs,
        (group.durationMs ?? Infinity) * MAX_DURATION_GROWTH,
      )
      averageFastMs += (Math.min(group.durationMs, SLOW_MS) - averageFastMs) * AVERAGE_WEIGHT
      startWaiting()
    })
    inFlight.add(done)
    if (group.waiting.length < ENOUGH_WAITING) fetching.wake()
  }

  const fetching = startPollLoop(FETCH_EVERY_MS, async () => {
    const stockedGroups = [...groups]
      .filter(([, { waiting }]) => waiting.length >= ENOUGH_WAITING)
      .map(([name]) => name)
    const jobs = await fetchJobs(MAX_PER_FETCH, stockedGroups)
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
    /** Stops fetching; resolves when all fetched jobs are done. */
    end: async () => {
      await fetching.end()
      while (inFlight.size > 0) await Promise.all(inFlight)
    },
  }
}
