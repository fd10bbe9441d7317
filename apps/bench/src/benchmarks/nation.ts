import { setTimeout as wait } from 'node:timers/promises'
import { routes } from '@tiwala/contract'
import { basePathOf } from '@tiwala/kit/operations'
import { archiveAudit } from '@tiwala/server/archive-audit'
import { onServer } from '@tiwala/server/testing-database'
import type { Bench } from '../bench.ts'
import { stopContenders } from '../contenders/contender.ts'
import { insertAuditHistory, insertCitizens, insertClosedMonth } from '../fixtures/audit-history.ts'
import { importMoreCitizens, issueExchangeCodes, issueQrItems } from '../fixtures/create-fixtures.ts'
import { vacuumAndCheckpoint } from '../fixtures/databases.ts'
import { DAYS, insertEndedRecords } from '../fixtures/ended-records.ts'
import type { Step } from '../load/main.ts'
import { runLoad } from '../load/run-load.ts'
import type { Section } from '../report/section.ts'
import { log, medianOf, type Rounds, ratioOf, runRounds, type Task, type Values } from '../rounds.ts'
import { consentSteps, measureInquire, targetOf, tiwalaSteps } from './jobs.ts'

/** Few, so that the latency shows the database and not a queue. */
const CONNECTIONS = 8
const EVENTS_OF_RECORD = 4
/** In the 80 days of the records, one citizen has as many. */
const RECORDS_OF_CITIZEN = 40
const POLL_MS = 200
const LOG_OF_JOURNEY = 'log of request and accept, citizens'

type Database = { label: string; url: string; target: ReturnType<typeof targetOf> }

/** The journeys over a small database and over one with millions of records and audit events, and the end of a day and a month. */
export async function benchNation(bench: Bench): Promise<Section> {
  const { plan, tiwala } = bench
  const { records, rounds: count } = plan.nation
  const databases: Database[] = []
  for (const [label, size] of [
    ['small', RECORDS_OF_CITIZEN * plan.acceptedRecords],
    ['nation', records],
  ] as const) {
    const name = `nation_${label}`
    const url = await fill(bench, name, size)
    databases.push({ label, url, target: targetOf(bench, await tiwala.start(url, { name })) })
  }
  const journeys = await runRounds(
    count,
    databases.flatMap((database) => tasksOf(bench, database)),
  )
  const logs = await measureLogs(bench, databases[1]!)
  await stopContenders()
  const ends = await measureEnds(bench, databases[1]!.url)
  const rounds = { ...journeys, ...logs, ...ends }
  const compared = ['inquire', 'request', 'accept', 'sign-in', 'history']
  const events = (EVENTS_OF_RECORD * records).toLocaleString('en')
  return {
    ratios: [
      ...compared.map((name) => ({
        name: `p99 of ${name}, nation / small`,
        value: ratioOf(rounds, `${name}, nation`, `${name}, small`, 'p99Ms'),
        threshold: 1.3,
        isAtMost: true,
      })),
      ...Object.keys(logs).map((name) => ({
        name: `${name}, kB`,
        value: medianOf(rounds, name, 'walKb'),
        threshold: 8,
        isAtMost: true,
      })),
    ],
    rounds,
    notes: [
      `The nation has ${records.toLocaleString('en')} records and ${events} audit events of ${DAYS} days, the small database ` +
        `${(RECORDS_OF_CITIZEN * plan.acceptedRecords).toLocaleString('en')} records.`,
    ],
  }
}

async function fill(bench: Bench, name: string, records: number): Promise<string> {
  log(`Filling ${name}: ${records} records, ${EVENTS_OF_RECORD * records} audit events`)
  const url = await bench.copyFixtures(name)
  await insertCitizens(
    url,
    Math.max(0, Math.floor(records / RECORDS_OF_CITIZEN) - bench.plan.acceptedRecords),
  )
  await insertEndedRecords(url, records)
  await insertAuditHistory(url, EVENTS_OF_RECORD * records)
  return vacuumAndCheckpoint(url)
}

/** One task for each operation. What a task needs is created before it is measured. */
function tasksOf(bench: Bench, { label, target }: Database): Task[] {
  const { plan, fixtures } = bench
  const { items: most, warmUpItems, warmUpRoundItems } = plan.nation
  const { origin } = target.servers[0]!
  const [request, accept] = consentSteps(fixtures) as [Step, Step, Step]
  const [generateToken, authenticate] = tiwalaSteps(fixtures)
  const history: Step = {
    method: 'GET',
    path: basePathOf('citizen-app') + routes['citizen-app'].listDisclosures.path,
    headers: { authorization: 'Bearer {token}' },
  }
  const countOf = (isWarmUpRound: boolean) => (isWarmUpRound ? warmUpRoundItems : most) + warmUpItems
  const run = (items: string[], ...steps: Step[]) =>
    runLoad({ connections: CONNECTIONS, warmUpItems, items, steps }, target)
  let requested: string[] = []
  const measures: Record<string, (isWarmUpRound: boolean) => Promise<Values>> = {
    inquire: (isWarmUpRound) =>
      measureInquire(bench, target, isWarmUpRound, { ...plan, ...plan.growth, connections: CONNECTIONS }),
    request: async (isWarmUpRound) => {
      const measurement = await run(await issueQrItems(origin, fixtures, countOf(isWarmUpRound)), request)
      requested = measurement.taken
      return measurement
    },
    accept: () => run(requested, accept),
    'sign-in': async (isWarmUpRound) =>
      run(await issueExchangeCodes(origin, fixtures, countOf(isWarmUpRound)), generateToken, authenticate),
    history: (isWarmUpRound) => {
      const { citizens } = fixtures
      const turns = Array.from(
        { length: countOf(isWarmUpRound) },
        (_, index) => citizens[index % citizens.length]!,
      )
      return run(
        turns.map(({ token }) => `- ${token}`),
        history,
      )
    },
  }
  return Object.entries(measures).map(([name, measure]) => ({ name: `${name}, ${label}`, measure }))
}

/**
 * The write-ahead log of a journey, from a checkpoint on: the first change of a page is logged as the whole page. Citizens of the
 * fixtures share few pages. Of citizens at random, each has a page of its own, as in a nation.
 */
async function measureLogs({ plan, tiwala, fixtures }: Bench, { url, target }: Database): Promise<Rounds> {
  const { loggedJourneys: count, moreCitizens } = plan.nation
  const { origin } = target.servers[0]!
  const steps = consentSteps(fixtures).slice(0, 2)
  const atRandom = await importMoreCitizens(origin, tiwala, fixtures, { count: moreCitizens, wanted: count })
  const rounds: Rounds = {}
  for (const [label, citizens] of [
    ['of the fixtures', fixtures.citizens],
    ['at random', atRandom],
  ] as const) {
    const items = await issueQrItems(origin, { citizens }, count)
    // PostgreSQL would otherwise vacuum the imported citizens meanwhile.
    await vacuumAndCheckpoint(url)
    const before = await logPosition(url)
    const measurement = await runLoad({ connections: CONNECTIONS, warmUpItems: 0, items, steps }, target)
    const walKb = ((await logPosition(url)) - before) / 1_000 / count
    log(`  ${LOG_OF_JOURNEY} ${label}: ${walKb.toFixed(2)} kB`)
    rounds[`${LOG_OF_JOURNEY} ${label}`] = [{ ...measurement, walKb }]
  }
  return rounds
}

const logPosition = (url: string): Promise<number> =>
  onServer(url, async (client) => {
    const { rows } = await client.query<{ bytes: string }>(`select pg_current_wal_lsn() - '0/0' as bytes`)
    return Number(rows[0]!.bytes)
  })

/** The time to end the oldest day of records, and to archive a month of sealed events. */
async function measureEnds(bench: Bench, url: string): Promise<Rounds> {
  const { plan, tiwala, folder } = bench
  const day = await timed(() =>
    onServer(url, (client) => client.query('select drop_record_partition($1::int)', [DAYS - 1])),
  )
  const events = plan.nation.archivedEvents
  const archived = await bench.copyFixtures('nation_archive')
  const month = await insertClosedMonth(archived, events)
  const server = await tiwala.start(archived, { name: 'nation_archive' })
  while (await hasUnsealed(archived)) await wait(POLL_MS)
  await server.stop()
  const environment = { ...tiwala.env, DATABASE_URL: archived, TIWALA_AUDIT_ARCHIVE_DIR: `${folder}/archive` }
  const archive = await timed(() => archiveAudit(environment, month, () => {}))
  log(
    `  a day ended in ${day.ms?.toFixed(0)} ms, a month of ${events} events in ${archive.ms?.toFixed(0)} ms`,
  )
  return {
    'end of a day of records': [day],
    [`archive of a month of ${events.toLocaleString('en')} events`]: [archive],
  }
}

async function timed(act: () => Promise<unknown>): Promise<Values> {
  const startedAtMs = performance.now()
  await act()
  return { ms: performance.now() - startedAtMs }
}

const hasUnsealed = (url: string) =>
  onServer(url, async (client) => {
    const { rows } = await client.query(
      'select from audit_event e where not exists (select from audit_leaf where event_id = e.id) limit 1',
    )
    return rows.length > 0
  })
