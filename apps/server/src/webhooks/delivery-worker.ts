import { type FetchOptions, fromKysely } from 'pg-boss'
import { startPollLoop } from '../background/poll-loop.ts'
import type { Queue } from '../database/queue.ts'
import type { Service } from '../operation.ts'
import { deliver, type Job, type Known, lookUp } from './deliver.ts'
import { createSender } from './send.ts'
import { isAnythingDue, takeDue } from './store.ts'
import { startWorkerPool } from './worker-pool.ts'

export const DELIVERY_QUEUE = 'callbacks'

const RELAY_EVERY_MS = 1_000
const MOST_RELAYED = 500
const COMPLETE_EVERY_MS = 200
/** At the end, attempts under way get this long; whatever is then unfinished is taken up again later, by this process or another. */
const PATIENCE_AT_END_MS = 5_000

/** Events of endpoints whose last attempt failed have slots of their own, so that they never delay the others; each gets few. */
const FAILING = -1
const LANES: { options: FetchOptions; maxPerGroup: number }[] = [
  { options: { minPriority: 0 }, maxPerGroup: 64 },
  { options: { maxPriority: FAILING }, maxPerGroup: 4 },
]

/** Delivers events for as long as the process lives. Any number of processes may. */
export function startDeliveryWorker(service: Service, { boss }: Queue): { stop(): Promise<void> } {
  const { db, config, notifications, log } = service
  const ending = new AbortController()
  const sender = createSender({ allowLoopback: config.environment === 'sandbox' })
  const note = (what: string) => (error: unknown) => {
    if (!ending.signal.aborted) log.warn({ name: error instanceof Error ? error.name : 'unknown' }, what)
  }

  /** From the events to the queue, in one transaction: none is lost, none comes twice. */
  const relay = async () => {
    if (!(await isAnythingDue(db))) return 0
    return db.transaction().execute(async (tx) => {
      const due = await takeDue(tx, MOST_RELAYED)
      const jobs = due.map(({ id, attempts, partner_id, is_failing }) => ({
        data: { eventId: id, attempts, isFailing: is_failing } satisfies Job,
        group: { id: String(partner_id) },
        priority: is_failing ? FAILING : 0,
      }))
      if (jobs.length) await boss.insert(DELIVERY_QUEUE, jobs, { db: fromKysely(tx) })
      return jobs.length
    })
  }

  /** Handled, and soon completed together: nothing waits for that. A job that is never completed lapses, and its event is not due then. */
  const handled: string[] = []
  const completeHandled = async () => {
    const jobIds = handled.splice(0)
    if (jobIds.length) await boss.complete(DELIVERY_QUEUE, jobIds).catch(note('jobs could not be completed'))
  }
  const completions = startPollLoop(COMPLETE_EVERY_MS, completeHandled)

  type Task = { id: string; group: string; job: Job; known: Known }
  /** Many jobs are fetched by one statement, and their events looked up by another. */
  async function fetch(options: FetchOptions): Promise<Task[]> {
    const queued = await boss.fetch<Job>(DELIVERY_QUEUE, options)
    return Promise.all(
      queued.map(async ({ id, groupId, data }) => ({ id, group: groupId ?? '', job: data, known: await lookUp(service, data) })),
    )
  }

  /** What fails here is our own fault or the database's: the job lapses, and is fetched again. */
  const handle = ({ id, job, known }: Task) =>
    deliver(service, { job, known, sender, signal: ending.signal }).then(() => void handled.push(id), note('an event could not be handled'))

  const lanes = LANES.map(({ options, maxPerGroup }) =>
    startWorkerPool<Task>({
      fetch: (batchSize, ignoreGroups) =>
        fetch({ ...options, batchSize, ignoreGroups }).catch((error: unknown) => {
          note('the job queue could not be read')(error)
          return []
        }),
      groupOf: ({ group }) => group,
      handle,
      maxPerGroup,
    }),
  )
  const relays = startPollLoop(RELAY_EVERY_MS, async () => {
    const relayed = await relay().catch(note('events could not be queued'))
    if (relayed) lanes.forEach(({ wake }) => wake())
    return relayed === MOST_RELAYED
  })
  const stopListening = notifications.onEvent(relays.wake)

  return {
    stop: async () => {
      stopListening()
      await relays.end()
      const patience = setTimeout(() => ending.abort(), PATIENCE_AT_END_MS)
      await Promise.all(lanes.map(({ end }) => end()))
      clearTimeout(patience)
      await completions.end()
      await completeHandled()
      sender.close()
    },
  }
}
