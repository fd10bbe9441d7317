import { setTimeout as wait } from 'node:timers/promises'
import { createPartner } from '@tiwala/kit/users'
import pg from 'pg'
import type { Bench } from '../bench.ts'
import { startContender } from '../contenders/contender.ts'
import { createFixtures, type Fixtures } from '../fixtures/create-fixtures.ts'
import { withCpu } from '../load/run-load.ts'
import type { Section } from '../report/section.ts'
import { medianOf, ratioOf, runRounds, type Task, type Values } from '../rounds.ts'
import { measureJourneys, targetOf } from './jobs.ts'

const ENDPOINT_COUNTS = [1, 10]
/** The rate that one process must reach when it has no other work. */
const THRESHOLD_PER_SECOND = 500
const WITHOUT_CALLBACK = 'SSO journey without a callback URL'
const WITH_CALLBACK = 'SSO journey with a callback URL'
const DURING_JOURNEYS = 'events delivered during the SSO journeys'

/** Measures bursts of events without other load, and events that sign-ins create. */
export async function benchDeliveries(bench: Bench): Promise<Section> {
  const { plan, tiwala, folder } = bench
  const args = ['../peers/receiver.ts']
  const receiver = await startContender({ name: 'receiver', args, readyPath: '/', logFolder: folder })
  const database = await bench.createDatabase('deliveries')
  // Only a sandbox at a loopback address delivers to the machine on which it runs.
  const env = { TIWALA_ENVIRONMENT: 'sandbox', TIWALA_PUBLIC_URL: 'http://127.0.0.1' }
  const server = await tiwala.start(database, { name: 'deliveries', env })
  /** With a partner that has no callback URL. */
  const fixtures = await createFixtures(server.origin, tiwala, plan.acceptedRecords)
  const target = { ...targetOf(bench, server), fixtures }
  const callbackPartners: Fixtures['credentials'][] = []
  for (let number = 1; number <= Math.max(...ENDPOINT_COUNTS); number++) {
    const input = { partner_code: `CALLBACK${number}`, callback_url: `${receiver.origin}/${number}` }
    callbackPartners.push((await createPartner(fixtures.operator, input)).credentials)
  }
  /** The same citizens with a partner that has a callback URL. */
  const callbackTarget = { ...target, fixtures: { ...fixtures, credentials: callbackPartners[0]! } }
  const client = new pg.Client(database)
  await client.connect()

  /** Writes many events at once and measures how long their delivery takes. */
  const burstTasks = ENDPOINT_COUNTS.map((count): Task => ({
    name: `events to ${count} callback ${count === 1 ? 'URL' : 'URLs'}`,
    measure: () =>
      withCpu(target, async () => {
        const totalCount = plan.deliveries.events
        const codes = callbackPartners.slice(0, count).map(({ partner_code }) => partner_code)
        const startedAtMs = performance.now()
        await client.query(INSERT_EVENTS, [totalCount, codes])
        await waitUntilDelivered(client)
        return { totalCount, perSecond: (totalCount * 1000) / (performance.now() - startedAtMs) }
      }),
  }))
  const duringJourneys: Values[] = []
  const measureWithCallback = async (isWarmUpRound: boolean) => {
    const measurement = await measureJourneys(bench, callbackTarget, isWarmUpRound)
    const { pending: backlog } = await readPending(client)
    await waitUntilDelivered(client)
    const perSecond = measurement.perSecond * (1 - backlog / measurement.totalCount)
    if (!isWarmUpRound) duringJourneys.push({ perSecond, backlog })
    return measurement
  }
  const rounds = {
    ...(await runRounds(plan.deliveries.rounds, burstTasks)),
    ...(await runRounds(plan.signIn.rounds, [
      { name: WITHOUT_CALLBACK, measure: (isWarmUpRound) => measureJourneys(bench, target, isWarmUpRound) },
      { name: WITH_CALLBACK, measure: measureWithCallback },
    ])),
    [DURING_JOURNEYS]: duringJourneys,
  }
  await client.end()
  return {
    ratios: [
      ...burstTasks.map(({ name }) => ({
        name: `${name}, per second`,
        value: medianOf(rounds, name),
        threshold: THRESHOLD_PER_SECOND,
      })),
      {
        name: 'SSO journey with a callback URL / without',
        value: ratioOf(rounds, WITH_CALLBACK, WITHOUT_CALLBACK),
      },
      { name: `${DURING_JOURNEYS} / written`, value: ratioOf(rounds, DURING_JOURNEYS, WITH_CALLBACK) },
    ],
    rounds,
  }
}

/** Inserts events with one statement, spread evenly over the partners. */
const INSERT_EVENTS = `
  insert into callback_event (partner_id, type, data)
  select p.id, 'authorization.accepted',
         json_build_object('tracking_no', lpad(n::text, 26, '0'), 'state', 'ACCEPTED',
                           'scope', 'PROFILE_INQUIRE')
    from generate_series(1, $1::int) n
    join partner p on p.partner_code = ($2::text[])[1 + n % array_length($2::text[], 1)]`

const POLL_INTERVAL_MS = 50
const MAX_STANDSTILL_MS = 30_000

/** Rejects if no event is delivered for `MAX_STANDSTILL_MS`. */
async function waitUntilDelivered(client: pg.Client): Promise<void> {
  let [least, progressAtMs] = [Infinity, performance.now()]
  for (;;) {
    const { pending, outcomes } = await readPending(client)
    if (pending === 0) return
    if (pending < least) [least, progressAtMs] = [pending, performance.now()]
    if (performance.now() - progressAtMs > MAX_STANDSTILL_MS)
      throw new Error(`${pending} events are not delivered: ${outcomes}`)
    await wait(POLL_INTERVAL_MS)
  }
}

async function readPending(client: pg.Client): Promise<{ pending: number; outcomes: string | null }> {
  const { rows } = await client.query<{ pending: number; outcomes: string | null }>(
    `select count(*)::int as pending, string_agg(distinct last_outcome, ', ') as outcomes
       from callback_event where status = 'PENDING'`,
  )
  return rows[0]!
}
