// Delivers events to the callback URLs of partners (webhooks), at least once.
//
// The relay moves events that are due from the table `callback_event` into the job queue, in one transaction.
// Two worker pools fetch jobs: one for endpoints whose last attempt succeeded, one with few slots for failing
// endpoints. Each job is one attempt: the event is sent, and its result and the time of the next attempt are
// stored.
//
// States of an event: PENDING (due, queued or waiting for its next attempt), DELIVERED, DEAD (no attempt is
// left, no callback URL, the endpoint answered 410, or the endpoint is disabled since it answered 410).
//
// Example: an attempt gets HTTP 503. The event stays PENDING, and becomes due again in about 5 seconds, in
// the pool of failing endpoints.
//
// Guarantees: an event that is committed is delivered or becomes DEAD, even if processes crash: a job that is
// never completed expires and is fetched again. An event may be delivered twice; `webhook-id` is then the
// same. Failing endpoints take no slots from the others; slow ones delay the others only within the bound
// that `worker-pool.ts` states. Any number of processes may run a worker.
import { type FetchOptions, fromKysely } from 'pg-boss'
import { startPollLoop } from '../background/poll-loop.ts'
import type { Queue } from '../database/queue.ts'
import { describeError } from '../describe-error.ts'
import type { Service } from '../operation.ts'
import { deliver, type EventLookup, type Job, lookUpEvent } from './deliver.ts'
import { createSender } from './send.ts'
import { hasDueEvent, markDueEventsQueued } from './store.ts'
import { startWorkerPool } from './worker-pool.ts'

export const DELIVERY_QUEUE = 'callbacks'

const RELAY_EVERY_MS = 1_000
const MAX_PER_RELAY = 500
const COMPLETE_EVERY_MS = 200
/**
 * When the worker stops, attempts in flight get this long. Unfinished jobs are fetched again later, by any
 * process.
 */
const STOP_TIMEOUT_MS = 5_000

/**
 * Endpoints whose last attempt failed have a pool of their own, with few slots each. They take no slots from
 * the other endpoints.
 */
const FAILING_PRIORITY = -1
const POOLS: { options: FetchOptions; maxPerGroup: number }[] = [
  { options: { minPriority: 0 }, maxPerGroup: 64 },
  { options: { maxPriority: FAILING_PRIORITY }, maxPerGroup: 4 },
]

export function startDeliveryWorker(service: Service, { boss }: Queue): { stop(): Promise<void> } {
  const { db, config, notifications, log } = service
  const stopping = new AbortController()
  const sender = createSender({ allowLoopback: config.allowLoopbackCallbacks })
  const warn = (message: string) => (error: unknown) => {
    if (!stopping.signal.aborted) log.warn(describeError(error), message)
  }

  /** Moves due events into the queue in one transaction, so that none is lost and none is queued twice. */
  const relay = async () => {
    if (!(await hasDueEvent(db))) return 0
    return db.transaction().execute(async (tx) => {
      const due = await markDueEventsQueued(tx, MAX_PER_RELAY)
      const jobs = due.map(({ id, attempts, partner_id, is_failing }) => ({
        data: { eventId: id, attempts, isFailing: is_failing } satisfies Job,
        group: { id: String(partner_id) },
        priority: is_failing ? FAILING_PRIORITY : 0,
      }))
      if (jobs.length) await boss.insert(DELIVERY_QUEUE, jobs, { db: fromKysely(tx) })
      return jobs.length
    })
  }

  /**
   * Jobs that are done and will be completed together. A job that is never completed expires; its event is
   * then not due, so it is skipped.
   */
  const doneJobIds: string[] = []
  const completeJobs = async () => {
    const jobIds = doneJobIds.splice(0)
    if (jobIds.length)
      await boss
        .complete(DELIVERY_QUEUE, jobIds)
        .catch(warn('finished jobs could not be completed; they expire and are skipped'))
  }
  const completions = startPollLoop(COMPLETE_EVERY_MS, completeJobs)

  type Task = { id: string; group: string; job: Job; lookup: EventLookup }
  /** One statement fetches the jobs, and one reads their events. */
  async function fetchJobs(options: FetchOptions): Promise<Task[]> {
    const queued = await boss.fetch<Job>(DELIVERY_QUEUE, options)
    return Promise.all(
      queued.map(async ({ id, groupId, data }) => ({
        id,
        group: groupId ?? '',
        job: data,
        lookup: await lookUpEvent(service, data),
      })),
    )
  }

  /**
   * Rejects only if the service or the database fails. Then the job is not completed, so it expires and is
   * fetched again.
   */
  const deliverJob = ({ id, job, lookup }: Task) =>
    deliver(service, { job, lookup, sender, signal: stopping.signal }).then(
      () => void doneJobIds.push(id),
      warn('a delivery attempt failed in the service; its job will be fetched again'),
    )

  const pools = POOLS.map(({ options, maxPerGroup }) =>
    startWorkerPool<Task>({
      fetchJobs: (batchSize, ignoreGroups) =>
        fetchJobs({ ...options, batchSize, ignoreGroups }).catch((error: unknown) => {
          warn('the job queue could not be read; the next attempt is in a second')(error)
          return []
        }),
      groupOf: ({ group }) => group,
      handleJob: deliverJob,
      maxPerGroup,
    }),
  )
  const relays = startPollLoop(RELAY_EVERY_MS, async () => {
    const relayed = await relay().catch(warn('events could not be queued; the next attempt is in a second'))
    if (relayed) pools.forEach(({ wake }) => wake())
    return relayed === MAX_PER_RELAY
  })
  const stopListening = notifications.onEvent(relays.wake)

  return {
    stop: async () => {
      stopListening()
      await relays.end()
      const stopTimeout = setTimeout(() => stopping.abort(), STOP_TIMEOUT_MS)
      await Promise.all(pools.map(({ end }) => end()))
      clearTimeout(stopTimeout)
      await completions.end()
      await completeJobs()
      sender.close()
    },
  }
}
