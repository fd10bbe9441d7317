import { type ConstructorOptions, PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { describeError } from '../describe-error.ts'
import { QUEUE_SCHEMA } from './server-facts.ts'

/**
 * The job queue (pg-boss), in its own schema of the same database. If the process that runs a job dies,
 * another process fetches the job again `EXPIRE_SECONDS` after the first fetch.
 */
const EXPIRE_SECONDS = 30
const MAINTENANCE_SECONDS = 10
const RETRY_LIMIT = 1_000_000

/**
 * Far longer than the queue's statements take. After that the server is taken for dead and the queue
 * reconnects. pg-boss passes these to pg.
 */
const TIMEOUTS = { query_timeout: 15_000, connectionTimeoutMillis: 2_000 }

export type Queue = { boss: PgBoss; stop(): Promise<void> }

export async function openQueue(options: ConstructorOptions, names: string[], log: Logger): Promise<Queue> {
  const boss = new PgBoss({
    ...options,
    ...TIMEOUTS,
    schema: QUEUE_SCHEMA,
    schedule: false,
    superviseIntervalSeconds: MAINTENANCE_SECONDS,
    monitorIntervalSeconds: MAINTENANCE_SECONDS,
  })
  boss.on('error', (error) =>
    log.warn(
      describeError(error),
      'the job queue met an error and tries again; check the database if this repeats',
    ),
  )
  await boss.start()
  for (const name of names) {
    if (!(await boss.getQueue(name)))
      await boss.createQueue(name, {
        expireInSeconds: EXPIRE_SECONDS,
        retryLimit: RETRY_LIMIT,
        deleteAfterSeconds: 3600,
      })
  }
  return { boss, stop: () => boss.stop({ graceful: false }) }
}
