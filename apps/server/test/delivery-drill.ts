// Events in bulk, the process that delivers them killed again and again, and what arrived.
import { sql } from 'kysely'
import { PgBoss } from 'pg-boss'
import { vi } from 'vitest'
import { CALLBACKS } from '../src/callbacks/deliverer.ts'
import { connectPostgres, type Database } from '../src/database/connect.ts'
import { countDelivered, createListener, writeEvents } from './events-in-bulk.ts'
import { meet } from './harness.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { startReadyProcess } from './server-process.ts'

/** No proxy is used for events, whatever the environment says: through this one, nothing would arrive. */
const PROXY = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: 'http://127.0.0.1:9' }

type Drill = {
  database: { url: string; folder: string }
  events: number
  kills: number
  /** What a killed process leaves is taken up by another after half a minute or more; impatient: as if that time had passed at the end. */
  isImpatient: boolean
}

/** Has so many events delivered, to three partners, by a process that dies so many times meanwhile. */
export async function drill({ database, events, kills, isImpatient }: Drill): Promise<Pick<Receiver, 'arrivals' | 'duplicates'>> {
  const until = (holds: () => boolean | Promise<boolean>) => vi.waitUntil(holds, { timeout: isImpatient ? 30_000 : 120_000, interval: 5 })
  const begin = () => startReadyProcess({ ...PROXY, DATABASE_URL: database.url, TIWALA_DATA_DIR: database.folder })
  await using receiver = await startReceiver()
  let server = await begin()
  const { db, close } = connectPostgres(database.url, () => {})
  try {
    const people = await meet(server.url)
    const partners = ['DRILL_A', 'DRILL_B', 'DRILL_C']
    for (const partner of partners) await createListener(people, partner, `${receiver.url}/${partner}`)
    await writeEvents(db, partners, events)
    for (let kill = 1; kill <= kills; kill++) {
      await until(() => receiver.arrivals.size >= (events * kill) / (kills + 1))
      await server.end('SIGKILL')
      server = await begin()
    }
    if (isImpatient) await letJobsLapse(db, database.url)
    await until(async () => (await countDelivered(db)) === events)
    return receiver
  } finally {
    await server.end('SIGKILL')
    await close()
  }
}

async function letJobsLapse(db: Database, connectionString: string): Promise<void> {
  await sql`update job_queue.job set started_on = started_on - interval '1 minute' where state = 'active'`.execute(db)
  const boss = new PgBoss({ connectionString, schema: 'job_queue', supervise: false, schedule: false })
  await boss.start()
  await boss.supervise(CALLBACKS)
  await boss.stop({ graceful: false })
}
