import { createPublisher, publishNotices } from '@tiwala/server/notices'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import type { Bench } from '../bench.ts'
import { issueQrItems } from '../fixtures/create-fixtures.ts'
import type { Section } from '../report/section.ts'
import { ratioOf, runRounds, type Task } from '../rounds.ts'
import { consentSteps, journeysPerRound, measureSteps, targetOf } from './jobs.ts'

const CONNECTIONS = 40
const CHANNEL = 'bench'

/** The journey from a request to the profile, over one and two processes, and what its notifications cost. */
export async function benchConsent(bench: Bench): Promise<Section> {
  const { plan, fixtures, tiwala } = bench
  const databaseUrl = await bench.openDatabase('consent')
  const first = await tiwala.start(databaseUrl, { name: 'first' })
  const second = await tiwala.start(databaseUrl, { name: 'second' })
  const journey = (name: string, ...servers: (typeof first)[]): Task => ({
    name,
    measure: async (isWarmUpRound) => {
      const count = journeysPerRound(plan.consent, isWarmUpRound)
      const items = await issueQrItems(first.origin, fixtures, count)
      const target = targetOf(bench, ...servers)
      return measureSteps(bench, target, items, consentSteps(fixtures), plan.consent.warmUpJourneys)
    },
  })
  const journeys = await runRounds(plan.consent.rounds, [
    journey('one process', first),
    journey('two processes', first, second),
  ])
  const commits = await measureCommits(await bench.openDatabase('commits'), bench)
  const rounds = { ...journeys, ...commits }
  return {
    ratios: [
      {
        name: 'request, accept, inquire, two processes / one',
        value: ratioOf(rounds, 'two processes', 'one process'),
      },
      {
        name: 'commits with notifications / without',
        value: ratioOf(rounds, 'commits, notified afterwards', 'commits'),
        threshold: 0.9,
      },
    ],
    rounds,
  }
}

async function measureCommits(databaseUrl: string, { plan }: Bench) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: CONNECTIONS })
  const notifying = new pg.Client(databaseUrl)
  const listening = new pg.Client(databaseUrl)
  await Promise.all([notifying.connect(), listening.connect()])
  await listening.query(`listen ${CHANNEL}`)
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  await sql`create table committed (id bigint generated always as identity, text text)`.execute(db)
  const publisher = createPublisher(
    async (notices) => void (await notifying.query(NOTIFY, [CHANNEL, notices])),
    () => {},
    (error) => {
      throw error
    },
  )
  const task = (name: string, on: Kysely<unknown>, column: string): Task => ({
    name,
    hasNoWarmUpRound: true,
    measure: async () => ({ perSecond: await insertFor(plan.seconds, on, column) }),
  })
  const rounds = await runRounds(plan.rounds, [
    task('commits', db, 'id'),
    task('commits, notified afterwards', db.withPlugin(publishNotices(publisher)), 'id::text as notice'),
    task('commits, notified inside', db, `pg_notify('${CHANNEL}', id::text)`),
  ])
  await publisher.close()
  await Promise.all([notifying.end(), listening.end(), db.destroy()])
  return rounds
}

const NOTIFY = 'select pg_notify($1, payload) from unnest($2::text[]) payload'

/** Commits as fast as all connections can, and returns the rate. */
async function insertFor(seconds: number, db: Kysely<unknown>, column: string): Promise<number> {
  const startedAtMs = performance.now()
  let count = 0
  const insertUntilEnd = async () => {
    for (; performance.now() < startedAtMs + seconds * 1000; count++)
      await sql`insert into committed (text) values (${'x'.repeat(200)}) returning ${sql.raw(column)}`.execute(
        db,
      )
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, insertUntilEnd))
  return (count * 1000) / (performance.now() - startedAtMs)
}
