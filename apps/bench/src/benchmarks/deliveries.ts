import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import type { Bench } from '../bench.ts'
import { type Contender, startContender } from '../contenders/contender.ts'
import { cpuSeconds } from '../contenders/resource-usage.ts'
import { createApiClient } from '../fixtures/api-client.ts'
import { createFixtures, createPartner, type Fixtures } from '../fixtures/create-fixtures.ts'
import { type Measurement, runLoad } from '../load/run-load.ts'
import { log } from '../log.ts'
import { createDatabase, withDatabase } from '../postgres/databases.ts'
import { median, medianRatio } from '../report/median.ts'
import type { Figure, Section } from '../report/section.ts'
import { countPendingEvents, insertEvents, waitUntilDelivered } from './callback-events.ts'
import { medianOrUndefined, ratesOf, roundLabel, runRounds, toFigure } from './run-rounds.ts'
import { prepareJourneyJob } from './sign-in-jobs.ts'

const TITLE = 'Events to callback URLs'
const RECEIVER = fileURLToPath(new URL('../load/receiver.ts', import.meta.url))
const ENDPOINT_COUNTS = [1, 10] as const
/** The rate that one process must reach when it has no other work. */
const THRESHOLD_PER_SECOND = 500

type Setup = {
  server: Contender
  client: pg.Client
  /** With a partner that has no callback URL. */
  fixtures: Fixtures
  /** The same citizens with other partners, each with a callback URL. */
  callbackFixtures: Fixtures[]
}
type Burst = { perSecond: number; cpuMs: number | undefined; postgresCpuMs: number | undefined }

/** Measures bursts of events without other load, and events that sign-ins create. */
export async function benchDeliveries(bench: Bench): Promise<Section> {
  const { plan, postgres, startTiwala, folder, identityProvider } = bench
  log(TITLE)
  const receiver = await startContender({
    name: 'receiver',
    args: [RECEIVER],
    env: {},
    readyPath: '/',
    logFolder: folder,
  })
  const database = await createDatabase(postgres.url, 'deliveries')
  // Only a sandbox at a loopback address delivers to the machine on which it runs.
  const env = { TIWALA_ENVIRONMENT: 'sandbox', TIWALA_PUBLIC_URL: 'http://127.0.0.1' }
  const server = await startTiwala(database, { name: 'deliveries', env })
  const fixtures = await createFixtures(server.origin, identityProvider, plan.acceptedRecords)
  const callbackFixtures: Fixtures[] = []
  for (let number = 1; number <= Math.max(...ENDPOINT_COUNTS); number++) {
    const input = { partner_code: `CALLBACK${number}`, callback_url: `${receiver.origin}/${number}` }
    const credentials = await createPartner(createApiClient(server.origin), identityProvider, input)
    callbackFixtures.push({ ...fixtures, credentials })
  }
  return withDatabase(database, async (client) => {
    const setup = { server, fixtures, client, callbackFixtures }
    const bursts = await measureBursts(bench, setup)
    const journeys = await measureJourneys(bench, setup)
    await Promise.all([server, receiver].map(({ stop }) => stop()))
    return toSection(bursts, journeys)
  })
}

/** Writes many events at once and measures how long their delivery takes. The first burst is not counted. */
async function measureBursts({ plan, postgres }: Bench, setup: Setup): Promise<Burst[][]> {
  const { server, client, callbackFixtures } = setup
  const { rounds, events } = plan.deliveries
  const readCpuSeconds = () =>
    [cpuSeconds(server.pid), cpuSeconds(postgres.pid, { withChildren: true })] as const
  const bursts: Burst[][] = ENDPOINT_COUNTS.map(() => [])
  for (let round = 0; round <= rounds; round++)
    for (const [index, endpointCount] of ENDPOINT_COUNTS.entries()) {
      const partnerCodes = callbackFixtures
        .slice(0, endpointCount)
        .map(({ credentials }) => credentials.partner_code)
      const before = readCpuSeconds()
      const startedAtMs = performance.now()
      await insertEvents(client, events, partnerCodes)
      await waitUntilDelivered(client)
      const perSecond = (events * 1000) / (performance.now() - startedAtMs)
      const [cpuMs, postgresCpuMs] = readCpuSeconds().map(
        (after, which) => after && ((after - before[which]!) * 1000) / events,
      )
      log(`  ${roundLabel(round, rounds)}: events to ${urls(endpointCount)}: ${Math.round(perSecond)}/s`)
      if (round > 0) bursts[index]!.push({ perSecond, cpuMs, postgresCpuMs })
    }
  return bursts
}

const urls = (count: number) => `${count} callback ${count === 1 ? 'URL' : 'URLs'}`

type Journeys = {
  withoutCallback: Measurement[]
  withCallback: Measurement[]
  /** Events that were not delivered at the end of each round. */
  backlogs: number[]
  /** The share of the events that were delivered by the end of each round. */
  deliveredShares: number[]
}

/** Compares sign-ins without and with a callback URL. With it, each sign-in creates an event. */
async function measureJourneys({ plan, postgres }: Bench, setup: Setup): Promise<Journeys> {
  const { server, fixtures, client, callbackFixtures } = setup
  const backlogs: number[] = []
  const deliveredShares: number[] = []
  const measure = async (partnerFixtures: Fixtures, isWarmUpRound: boolean) => {
    const job = await prepareJourneyJob(partnerFixtures, { origin: server.origin, plan }, isWarmUpRound)
    return runLoad(job, [server], postgres.pid)
  }
  const measureWithCallback = async (isWarmUpRound: boolean) => {
    const measurement = await measure(callbackFixtures[0]!, isWarmUpRound)
    const backlog = await countPendingEvents(client)
    await waitUntilDelivered(client)
    if (!isWarmUpRound) {
      backlogs.push(backlog)
      deliveredShares.push(1 - backlog / measurement.totalCount)
    }
    return measurement
  }
  const measurements = await runRounds(plan.signIn.rounds, [
    { name: 'without a callback URL', measure: (isWarmUpRound) => measure(fixtures, isWarmUpRound) },
    { name: 'with a callback URL', measure: measureWithCallback },
  ])
  return {
    withoutCallback: measurements['without a callback URL']!,
    withCallback: measurements['with a callback URL']!,
    backlogs,
    deliveredShares,
  }
}

function toSection(bursts: Burst[][], journeys: Journeys): Section {
  const { withoutCallback, withCallback, backlogs, deliveredShares } = journeys
  const burstFigures = bursts.map((rounds, index): Figure & { perSecond: number } => ({
    name: `events to ${urls(ENDPOINT_COUNTS[index]!)}`,
    perSecond: median(rounds.map(({ perSecond }) => perSecond)),
    cpuMs: medianOrUndefined(rounds.map(({ cpuMs }) => cpuMs)),
    postgresCpuMs: medianOrUndefined(rounds.map(({ postgresCpuMs }) => postgresCpuMs)),
  }))
  const eventRates = ratesOf(withCallback).map((rate, round) => rate * deliveredShares[round]!)
  const journeyRatio = medianRatio(ratesOf(withCallback), ratesOf(withoutCallback))
  return {
    benchmark: 'deliveries',
    title: TITLE,
    method:
      'One process of the sandbox, because a live service refuses to deliver to the machine on which it ' +
      'runs. The receiver is a separate process. Bursts: one statement writes all events, and the time ' +
      'ends when the last one is recorded as delivered. SSO journeys: a partner with a callback URL, where ' +
      'each sign-in creates an event, is compared with a partner without one.',
    ratios: [
      ...burstFigures.map(({ name, perSecond }) => ({
        name: `${name}, per second`,
        value: perSecond,
        threshold: THRESHOLD_PER_SECOND,
      })),
      { name: 'SSO journey with a callback URL / without', value: journeyRatio },
      { name: 'events delivered during the SSO journeys / written', value: median(deliveredShares) },
    ],
    figures: [
      ...burstFigures,
      toFigure('SSO journey without a callback URL', withoutCallback),
      toFigure('SSO journey with a callback URL', withCallback),
      {
        name: 'events delivered during the SSO journeys',
        perSecond: median(eventRates),
        backlog: median(backlogs),
      },
    ],
    notes: [],
    charts: [],
  }
}
