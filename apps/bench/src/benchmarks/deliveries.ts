import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import type { Bench } from '../bench.ts'
import { type Contender, startContender } from '../contenders/contender.ts'
import { cpuSecondsOf } from '../contenders/resource-usage.ts'
import { type Measured, runLoad } from '../load/run-load.ts'
import { createDatabase, withDatabase } from '../postgres/databases.ts'
import { median, ratioOf } from '../report/median.ts'
import type { Figure, Section } from '../report/section.ts'
import { log } from '../log.ts'
import { callsTo } from '../fixtures/api-client.ts'
import { createPartner, issueCodes, populate, type Fixtures } from '../fixtures/create-fixtures.ts'
import { runRounds, toFigure } from './run-rounds.ts'
import { ourJourney } from './sign-in-jobs.ts'

const RECEIVER = fileURLToPath(new URL('../load/receiver.ts', import.meta.url))
const ENDPOINTS = [1, 10] as const
const LOOK_EVERY_MS = 50
/** What one process should deliver while it does nothing else. */
const BAR_PER_SECOND = 500

type Site = { server: Contender; fixtures: Fixtures; client: pg.Client; listeners: Fixtures[] }
type Burst = { perSecond: number; cpuMs: number | undefined; postgresCpuMs: number | undefined }

/** Events to callback URLs: bursts of them alone, and those of the sign-ins while they are made. */
export async function benchDeliveries(bench: Bench): Promise<Section> {
  const { plan, postgres, startTiwala, folder, identity } = bench
  log('Events to callback URLs')
  const receiver = await startContender({ name: 'receiver', args: [RECEIVER], env: {}, readyPath: '/', logFolder: folder })
  const database = await createDatabase(postgres.url, 'deliveries')
  // Live refuses a receiver on the same machine.
  const server = await startTiwala(database, { name: 'deliveries', env: { TIWALA_ENVIRONMENT: 'sandbox' } })
  const fixtures = await populate(server.origin, identity, plan.accepted)
  const listeners: Fixtures[] = []
  for (let number = 1; number <= Math.max(...ENDPOINTS); number++) {
    const named = { partner_code: `LISTENER${number}`, callback_url: `${receiver.origin}/${number}` }
    listeners.push({ ...fixtures, credentials: await createPartner(callsTo(server.origin), identity, named) })
  }
  return withDatabase(database, async (client) => {
    const site = { server, fixtures, client, listeners }
    const bursts = await measureBursts(bench, site)
    const journeys = await measureJourneys(bench, site)
    await Promise.all([server, receiver].map(({ stop }) => stop()))
    return toSection(bursts, journeys)
  })
}

/** So many events at once, as if something had happened, until the last one is delivered. The first burst is not counted. */
async function measureBursts({ plan, postgres }: Bench, { server, client, listeners }: Site): Promise<Burst[][]> {
  const { rounds, events } = plan.deliveries
  const cpuNow = () => [cpuSecondsOf(server.pid), cpuSecondsOf(postgres.pid, true)] as const
  const bursts: Burst[][] = ENDPOINTS.map(() => [])
  for (let round = 0; round <= rounds; round++)
    for (const [index, endpoints] of ENDPOINTS.entries()) {
      const before = cpuNow()
      const startedAtMs = performance.now()
      await client.query(WRITE_EVENTS, [events, listeners.slice(0, endpoints).map(({ credentials }) => credentials.partner_code)])
      await untilDelivered(client)
      const perSecond = (events * 1000) / (performance.now() - startedAtMs)
      const [cpuMs, postgresCpuMs] = cpuNow().map((after, which) => after && ((after - before[which]!) * 1000) / events)
      log(`  ${round ? `round ${round} of ${rounds}` : 'to warm up'}: events to ${endpoints}: ${Math.round(perSecond)}/s`)
      if (round > 0) bursts[index]!.push({ perSecond, cpuMs, postgresCpuMs })
    }
  return bursts
}

const WRITE_EVENTS = `
  insert into callback_event (partner_id, type, data)
  select p.id, 'authorization.accepted', json_build_object('tracking_no', lpad(n::text, 26, '0'), 'state', 'ACCEPTED', 'scope', 'PROFILE_INQUIRE')
    from generate_series(1, $1::int) n join partner p on p.partner_code = ($2::text[])[1 + n % array_length($2::text[], 1)]`

async function countPending(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(`select count(*)::int as count from callback_event where status = 'PENDING'`)
  return rows[0]!.count
}

async function untilDelivered(client: pg.Client): Promise<void> {
  while (await countPending(client)) await wait(LOOK_EVERY_MS)
}

type Journeys = { without: Measured[]; with: Measured[]; backlogs: number[]; delivered: number[] }

/** The sign-in of a partner without a callback URL, and of one with it, whose every journey is an event. */
async function measureJourneys({ plan, postgres }: Bench, { server, fixtures, client, listeners }: Site): Promise<Journeys> {
  const { journeys, warmUp, first, rounds } = plan.signIn
  const [backlogs, delivered]: [number[], number[]] = [[], []]
  const measure = async (of: Fixtures, isFirst: boolean) => {
    const items = await issueCodes(server.origin, of, isFirst ? first : journeys + warmUp)
    return runLoad(ourJourney(of, { origin: server.origin, plan, items }), [server], postgres.pid)
  }
  const played = await runRounds(rounds, [
    { name: 'without', measure: (isFirst) => measure(fixtures, isFirst) },
    {
      name: 'with',
      measure: async (isFirst) => {
        const measured = await measure(listeners[0]!, isFirst)
        const backlog = await countPending(client)
        await untilDelivered(client)
        if (!isFirst) backlogs.push(backlog)
        if (!isFirst) delivered.push(1 - backlog / measured.total)
        return measured
      },
    },
  ])
  return { without: played['without']!, with: played['with']!, backlogs, delivered }
}

function toSection(bursts: Burst[][], journeys: Journeys): Section {
  const known = (values: (number | undefined)[]) => (values.includes(undefined) ? undefined : median(values as number[]))
  const ofBursts = bursts.map((rounds, index): Figure & { perSecond: number } => ({
    name: `events to ${ENDPOINTS[index]} callback ${ENDPOINTS[index] === 1 ? 'URL' : 'URLs'}`,
    perSecond: median(rounds.map(({ perSecond }) => perSecond)),
    cpuMs: known(rounds.map(({ cpuMs }) => cpuMs)),
    postgresCpuMs: known(rounds.map(({ postgresCpuMs }) => postgresCpuMs)),
  }))
  const rates = (measured: Measured[]) => measured.map(({ perSecond }) => perSecond)
  const eventRates = rates(journeys.with).map((rate, round) => rate * journeys.delivered[round]!)
  return {
    part: 'deliveries',
    title: 'Events to callback URLs',
    how:
      'One process of the sandbox, since live refuses a receiver on the same machine; the receiver is a process of its own. Bursts: all events ' +
      'are written by one statement, and the time ends when the last one is recorded as delivered. Then sign-ins of a partner with a callback ' +
      'URL, each of which is an event, beside those of a partner without one.',
    ratios: [
      ...ofBursts.map(({ name, perSecond }) => ({ name: `${name}, a second`, value: perSecond, bar: BAR_PER_SECOND })),
      { name: 'SSO journey with a callback URL / without', value: ratioOf(rates(journeys.with), rates(journeys.without)) },
      { name: 'events delivered while the SSO journeys went on / written', value: median(journeys.delivered) },
    ],
    figures: [
      ...ofBursts,
      toFigure('SSO journey without a callback URL', journeys.without),
      toFigure('SSO journey with a callback URL', journeys.with),
      { name: 'its events, delivered meanwhile', perSecond: median(eventRates), backlog: median(journeys.backlogs) },
    ],
    notes: [],
    pictures: [],
  }
}
