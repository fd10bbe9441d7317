import { type ConstructorOptions, PgBoss } from 'pg-boss'
import type { Logger } from 'pino'

/**
 * The job queue, in tables of its own in the same database. A job whose process died is taken up by another one
 * `EXPIRE_SECONDS` after it was fetched.
 */
const EXPIRE_SECONDS = 30
const LOOK_AFTER_SECONDS = 10
const NEVER_GIVE_UP = 1_000_000

/** Far longer than its statements take: then the server has vanished, and the connection is made anew. pg knows these, pg-boss passes them on. */
const GIVEN_UP = { query_timeout: 15_000, connectionTimeoutMillis: 2_000 }

export const QUEUE_SCHEMA = 'job_queue'

export type Queue = { boss: PgBoss; stop(): Promise<void> }

export async function openQueue(options: ConstructorOptions, names: string[], log: Logger): Promise<Queue> {
  const boss = new PgBoss({
    ...options,
    ...GIVEN_UP,
    schema: QUEUE_SCHEMA,
    schedule: false,
    superviseIntervalSeconds: LOOK_AFTER_SECONDS,
    monitorIntervalSeconds: LOOK_AFTER_SECONDS,
  })
  boss.on('error', ({ name }) => log.warn({ name }, 'the job queue met an error'))
  await boss.start()
  for (const name of names) {
    if (!(await boss.getQueue(name)))
      await boss.createQueue(name, { expireInSeconds: EXPIRE_SECONDS, retryLimit: NEVER_GIVE_UP, deleteAfterSeconds: 3600 })
  }
  return { boss, stop: () => boss.stop({ graceful: false }) }
}
