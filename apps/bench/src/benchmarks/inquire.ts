import { isDeepStrictEqual } from 'node:util'
import type { Bench } from '../bench.ts'
import { type Contender, startContender } from '../contenders/contender.ts'
import { inquireBaseline } from '../pgbench/baselines.ts'
import type { Section } from '../report/section.ts'
import { ratioOf, runRounds, type Task } from '../rounds.ts'
import { measureInquire, targetOf } from './jobs.ts'

const PEERS = [
  { name: 'Fastify + pg', file: 'fastify', threshold: 0.85, target: 1.1 },
  { name: 'Express + validator + pg', file: 'express', threshold: 1.5 },
  { name: 'node:http + pg', file: 'node-http' },
  { name: 'Fastify + pg, equal work', file: 'fastify', threshold: 1.3, target: 1.5 },
  { name: 'Express + validator + pg, equal work', file: 'express', threshold: 1.6, target: 2 },
  { name: 'node:http + pg, equal work', file: 'node-http', threshold: 1, target: 1.2 },
].map((peer) => ({ ...peer, hasEqualWork: peer.name.endsWith('equal work') }))

/**
 * Compares the inquire operation of the service with peers that read the same number of records. Those with equal work
 * also decrypt the profile and commit an audit row for each response.
 */
export async function benchInquire(bench: Bench): Promise<Section> {
  const DATABASE_URL = await bench.openPeerDatabase('inquire_peers')
  const tiwala = await bench.tiwala.start(await bench.openDatabase('inquire'))
  const peers = await Promise.all(
    PEERS.map(({ name, file, hasEqualWork }) =>
      startContender({
        name,
        args: [`../peers/${file}.ts`],
        env: { DATABASE_URL, ...(hasEqualWork && { EQUAL_WORK: 'true' }) },
        logFolder: bench.folder,
      }),
    ),
  )
  const task = (name: string, server: Contender): Task => ({
    name,
    measure: async (isWarmUpRound) => {
      const measurement = await measureInquire(bench, targetOf(bench, server), isWarmUpRound)
      requireSameBody(bench, measurement.sampleBody, name)
      return measurement
    },
  })
  const baseline = await inquireBaseline(bench)
  const rounds = await runRounds(bench.plan.rounds, [
    task('Tiwala', tiwala),
    ...peers.map((peer, index) => task(PEERS[index]!.name, peer)),
    ...baseline,
  ])
  const ratioTo = (name: string) => ratioOf(rounds, 'Tiwala', name)
  return {
    ratios: [
      ...PEERS.map((peer) => ({ ...peer, name: `inquire / ${peer.name}`, value: ratioTo(peer.name) })),
      ...baseline.map(({ name }) => ({
        name: 'inquire / pgbench, the same statements',
        value: ratioTo(name),
      })),
    ],
    rounds,
  }
}

/** Throws if a contender sends another response than the service: the comparison would not be fair. */
function requireSameBody({ fixtures }: Bench, sampleBody: string, name: string): void {
  const body = JSON.parse(sampleBody) as (typeof fixtures.acceptedResponses)[number]
  const expected = fixtures.acceptedResponses.find(({ data }) => data.id === body.data.id)
  if (!isDeepStrictEqual(body, expected))
    throw new Error(`The response of ${name} differs from that of the service: ${sampleBody}`)
}
