import { type FetchOptions, fromKysely, type Job as QueuedJob } from 'pg-boss'
import type { Queue } from '../database/queue.ts'
import { startLoop } from '../loop.ts'
import type { Service } from '../operation.ts'
import { deliver, type Job } from './deliver.ts'
import { startLane } from './lane.ts'
import { isAnythingDue, takeDue } from './store.ts'

export const CALLBACKS = 'callbacks'

const RELAY_EVERY_MS = 1_000
const MOST_RELAYED = 500
/** At the end, attempts under way get this long; whatever is then unfinished is taken up again later, by this process or another. */
const PATIENCE_AT_END_MS = 5_000

/** Events of endpoints that failed last time travel apart from the others, and so delay nobody else's. */
const FAILING = -1
const LANES: FetchOptions[] = [{ minPriority: 0 }, { maxPriority: FAILING }]

/** Delivers events for as long as the process lives. Any number of processes may. */
export function startDeliverer(service: Service, { boss }: Queue): { stop(): Promise<void> } {
  const { db, changes, log } = service
  const ending = new AbortController()
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
      if (jobs.length) await boss.insert(CALLBACKS, jobs, { db: fromKysely(tx) })
      return jobs.length
    })
  }

  async function handle(job: QueuedJob<Job>): Promise<void> {
    // What fails here is our own fault or the database's: the job is left, and taken up again when it has lapsed.
    await deliver(service, job.data, ending.signal)
      .then(() => boss.complete(CALLBACKS, job.id))
      .catch(note('an event could not be handled'))
  }

  const lanes = LANES.map((options) =>
    startLane<QueuedJob<Job>>({
      fetch: (batchSize, ignoreGroups) =>
        boss.fetch<Job>(CALLBACKS, { ...options, batchSize, ignoreGroups }).catch((error: unknown) => {
          note('the job queue could not be read')(error)
          return []
        }),
      groupOf: ({ groupId }) => groupId ?? '',
      handle,
    }),
  )
  const relays = startLoop(RELAY_EVERY_MS, async () => {
    const relayed = await relay().catch(note('events could not be queued'))
    if (relayed) lanes.forEach(({ wake }) => wake())
    return relayed === MOST_RELAYED
  })
  const stopListening = changes.onEvent(relays.wake)

  return {
    stop: async () => {
      stopListening()
      await relays.end()
      const patience = setTimeout(() => ending.abort(), PATIENCE_AT_END_MS)
      await Promise.all(lanes.map(({ end }) => end()))
      clearTimeout(patience)
    },
  }
}
