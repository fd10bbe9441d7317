import { isDeepStrictEqual } from 'node:util'
import type { Bench } from '../bench.ts'
import type { Contender } from '../contenders/contender.ts'
import { startPeer } from '../contenders/peers.ts'
import { type Measured, runLoad } from '../load/run-load.ts'
import { capturing } from '../postgres/capture-statements.ts'
import { insertRecords, RECORD_N, requireEffect } from '../postgres/pgbench-rows.ts'
import { toScript } from '../postgres/pgbench-script.ts'
import { pgbench, pgbenchVersion } from '../postgres/pgbench.ts'
import { median, ratioOf } from '../report/median.ts'
import type { Section } from '../report/section.ts'
import { log } from '../log.ts'
import { callsTo } from '../fixtures/api-client.ts'
import { openDatabases } from './open-databases.ts'
import { inquireJob } from './inquire-job.ts'
import { runRounds, toFigure } from './run-rounds.ts'

const PEERS = { fastify: 'Fastify + pg', express: 'Express + validator + pg', 'node-http': 'node:http + pg' } as const

/** Inquire of accepted records: ours and the peers, over as many records each. */
export async function benchInquire(bench: Bench): Promise<Section> {
  const { plan, fixtures, folder, startTiwala } = bench
  log('Inquire of an accepted record')
  const { database, peerDatabase, limitDatabase } = await openDatabases(bench, 'inquire')
  const [limit, ours, ...peers] = await Promise.all([
    pgbenchVersion() ? inquireScript(bench, limitDatabase) : undefined,
    startTiwala(database),
    ...(Object.keys(PEERS) as (keyof typeof PEERS)[]).map((name) => startPeer(name, peerDatabase, folder)),
  ])
  const measure = (contender: Contender) => async (isFirst: boolean) => {
    const load = isFirst ? { ...plan, seconds: plan.firstSeconds } : plan
    const measured = await runLoad(inquireJob(fixtures, [contender.origin], load), [contender], bench.postgres.pid)
    requireSameAnswer(bench, measured, contender.name)
    return measured
  }
  const limits: number[] = []
  const measureLimit = async () => {
    if (limit) limits.push(await pgbench({ databaseUrl: limitDatabase, folder, script: limit, seconds: plan.seconds }))
  }
  const entrants = [ours, ...peers].map((contender) => ({ name: contender.name, measure: measure(contender) }))
  const played = await runRounds(plan.rounds, entrants, { atItsEnd: measureLimit })
  await Promise.all([ours, ...peers].map(({ stop }) => stop()))
  if (limit) await requireEffect(limitDatabase, 'disclosed')
  return toSection(played, limits)
}

/** The statements of an inquiry, as our server sends them, for records that pgbench can number. */
async function inquireScript({ startTiwala, fixtures, folder, plan }: Bench, database: string): Promise<string> {
  const { tracking_no, id } = fixtures.accepted[0]!.data
  const statements = await capturing(startTiwala, database, folder, async (origin, capture) => {
    const ask = () => callsTo(origin)('inquire', { headers: fixtures.asPartner, query: { tracking_no } })
    // The first use of a secret on a day is noted.
    await ask()
    return capture(ask)
  })
  await insertRecords(database, plan.accepted)
  return `\\set n random(1, ${plan.accepted})\n${toScript(
    statements,
    new Map<unknown, string>([
      [tracking_no, RECORD_N.trackingNo],
      [id, RECORD_N.id],
    ]),
  )}`
}

/** A peer that answers less is no peer. */
function requireSameAnswer({ fixtures }: Bench, { sample }: Measured, name: string): void {
  const given = sample as (typeof fixtures.accepted)[number]
  const expected = fixtures.accepted.find(({ data }) => data.id === given.data.id)
  if (!isDeepStrictEqual(given, expected)) throw new Error(`${name} does not answer as the service does: ${JSON.stringify(given)}`)
}

function toSection(played: Record<string, Measured[]>, limits: number[]): Section {
  const rates = (name: string) => played[name]!.map(({ perSecond }) => perSecond)
  const ours = rates('tiwala')
  const figures = [toFigure('Tiwala', played['tiwala']!), ...Object.entries(PEERS).map(([name, title]) => toFigure(title, played[name]!))]
  const ratios = [
    { name: 'inquire / Fastify + pg', value: ratioOf(ours, rates('fastify')), bar: 0.85, aim: 1.1 },
    { name: 'inquire / Express + validator + pg', value: ratioOf(ours, rates('express')), bar: 1.5 },
    { name: 'inquire / node:http + pg', value: ratioOf(ours, rates('node-http')) },
    ...(limits.length ? [{ name: 'inquire / pgbench, the same statements', value: ratioOf(ours, limits) }] : []),
  ]
  if (limits.length) figures.push({ name: 'pgbench, our statements', perSecond: median(limits) })
  const bars = figures.map(({ name, perSecond }) => ({ name, value: perSecond! }))
  return {
    part: 'inquire',
    title: 'Inquire of an accepted record',
    how: 'Over 10,000 records each. The peers answer the same body from plain tables; ours opens a sealed profile and commits an audit row.',
    ratios,
    figures,
    notes: limits.length ? [] : ['The limit was not measured: there is no `pgbench` on this machine.'],
    pictures: [{ file: 'inquire.svg', title: 'Inquire of an accepted record', unit: 'requests a second', bars }],
  }
}
