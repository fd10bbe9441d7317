import { isDeepStrictEqual } from 'node:util'
import type { Bench } from '../bench.ts'
import type { Contender } from '../contenders/contender.ts'
import { startPeer } from '../contenders/peers.ts'
import { createApiClient } from '../fixtures/api-client.ts'
import { type Measurement, runLoad } from '../load/run-load.ts'
import { log } from '../log.ts'
import { withStatementCapture } from '../postgres/capture-statements.ts'
import { insertRecords, RECORD_EXPRESSIONS, requireEffect } from '../postgres/pgbench-rows.ts'
import { toScript } from '../postgres/pgbench-script.ts'
import { NO_PGBENCH_NOTE, pgbenchVersion, runPgbench } from '../postgres/pgbench.ts'
import { median, medianRatio } from '../report/median.ts'
import type { Section } from '../report/section.ts'
import { inquireJob } from './inquire-job.ts'
import { openDatabases } from './open-databases.ts'
import { ratesOf, runRounds, toFigure } from './run-rounds.ts'

const TITLE = 'Inquire about an accepted record'
const PEERS = {
  fastify: 'Fastify + pg',
  express: 'Express + validator + pg',
  'node-http': 'node:http + pg',
} as const

/** Compares the inquire operation of the service with peers that read the same number of records. */
export async function benchInquire(bench: Bench): Promise<Section> {
  const { plan, fixtures, folder, startTiwala } = bench
  log(TITLE)
  const { database, peerDatabase, baselineDatabase } = await openDatabases(bench, 'inquire')
  const [script, tiwala, ...peers] = await Promise.all([
    pgbenchVersion() ? prepareInquireScript(bench, baselineDatabase) : undefined,
    startTiwala(database),
    ...(Object.keys(PEERS) as (keyof typeof PEERS)[]).map((name) => startPeer(name, peerDatabase, folder)),
  ])
  const measure = (contender: Contender) => async (isWarmUpRound: boolean) => {
    const load = isWarmUpRound ? { ...plan, seconds: plan.warmUpRoundSeconds } : plan
    const measurement = await runLoad(
      inquireJob(fixtures, [contender.origin], load),
      [contender],
      bench.postgres.pid,
    )
    requireSameBody(bench, measurement, contender.name)
    return measurement
  }
  const baselineRates: number[] = []
  const measureBaseline = async () => {
    if (!script) return
    baselineRates.push(
      await runPgbench({ databaseUrl: baselineDatabase, folder, script, seconds: plan.seconds }),
    )
  }
  const tasks = [tiwala, ...peers].map((contender) => ({ name: contender.name, measure: measure(contender) }))
  const measurements = await runRounds(plan.rounds, tasks, { afterEachRound: measureBaseline })
  await Promise.all([tiwala, ...peers].map(({ stop }) => stop()))
  if (script) await requireEffect(baselineDatabase, 'disclosures')
  return toSection(measurements, baselineRates)
}

/** The pgbench script of an inquire request, for records that pgbench can number. */
async function prepareInquireScript(bench: Bench, database: string): Promise<string> {
  const { startTiwala, fixtures, folder, plan } = bench
  const { tracking_no, id } = fixtures.acceptedResponses[0]!.data
  const statements = await withStatementCapture(startTiwala, database, folder, async (origin, capture) => {
    const client = createApiClient(origin)
    const inquire = () => client('inquire', { headers: fixtures.partnerHeaders, query: { tracking_no } })
    // The first use of a secret on a day sends one more statement, which stores the date.
    await inquire()
    return capture(inquire)
  })
  await insertRecords(database, plan.acceptedRecords)
  const replacements = new Map<unknown, string>([
    [tracking_no, RECORD_EXPRESSIONS.trackingNo],
    [id, RECORD_EXPRESSIONS.id],
  ])
  return `\\set n random(1, ${plan.acceptedRecords})\n${toScript(statements, replacements)}`
}

/** Throws if a contender sends another response than the service: the comparison would not be fair. */
function requireSameBody({ fixtures }: Bench, { sampleBody }: Measurement, name: string): void {
  const body = sampleBody as (typeof fixtures.acceptedResponses)[number]
  const expected = fixtures.acceptedResponses.find(({ data }) => data.id === body.data.id)
  if (!isDeepStrictEqual(body, expected))
    throw new Error(`The response of ${name} differs from that of the service: ${JSON.stringify(body)}`)
}

function toSection(measurements: Record<string, Measurement[]>, baselineRates: number[]): Section {
  const rates = (name: string) => ratesOf(measurements[name]!)
  const tiwala = rates('tiwala')
  const figures = [
    toFigure('Tiwala', measurements['tiwala']!),
    ...Object.entries(PEERS).map(([name, title]) => toFigure(title, measurements[name]!)),
  ]
  const ratios: Section['ratios'] = [
    {
      name: 'inquire / Fastify + pg',
      value: medianRatio(tiwala, rates('fastify')),
      threshold: 0.85,
      target: 1.1,
    },
    {
      name: 'inquire / Express + validator + pg',
      value: medianRatio(tiwala, rates('express')),
      threshold: 1.5,
    },
    { name: 'inquire / node:http + pg', value: medianRatio(tiwala, rates('node-http')) },
  ]
  const notes: string[] = []
  if (baselineRates.length) {
    ratios.push({ name: 'inquire / pgbench, the same statements', value: medianRatio(tiwala, baselineRates) })
    figures.push({ name: "pgbench, the service's statements", perSecond: median(baselineRates) })
  } else notes.push(NO_PGBENCH_NOTE)
  return {
    benchmark: 'inquire',
    title: TITLE,
    method:
      'Each contender has 10,000 records. All contenders send the same response body. The peers read it ' +
      'from plain tables; the service decrypts a profile and commits an audit row for each response.',
    ratios,
    figures,
    notes,
    charts: [
      {
        file: 'inquire.svg',
        title: TITLE,
        unit: 'requests per second',
        bars: figures.map(({ name, perSecond }) => ({ name, value: perSecond! })),
      },
    ],
  }
}
