import type { Bench } from '../bench.ts'
import type { Contender } from '../contenders/contender.ts'
import { issueOidcCodes, startOidcProvider } from '../contenders/peers.ts'
import type { Job } from '../load/job.ts'
import { type Measured, runLoad } from '../load/run-load.ts'
import { pgbenchVersion } from '../postgres/pgbench.ts'
import { median, ratioOf } from '../report/median.ts'
import type { Section } from '../report/section.ts'
import { log } from '../log.ts'
import { issueCodes } from '../fixtures/create-fixtures.ts'
import { openDatabases } from './open-databases.ts'
import { runRounds, toFigure } from './run-rounds.ts'
import { ourJourney, ourProfiles, ourTokens, oidcJourney } from './sign-in-jobs.ts'
import { signInLimit } from './sign-in-baseline.ts'

const SIGNATURES = ['RS256', 'EdDSA'] as const
/** The default signature has the higher bar. */
const BARS = { RS256: 3, EdDSA: 2 }

/** The sign-in: code to token to profile, ours and oidc-provider's; and each of our two steps against their statements alone. */
export async function benchSso(bench: Bench): Promise<Section> {
  const { plan, fixtures, folder, postgres } = bench
  log('Single sign-on: code to token to profile')
  const { database, peerDatabase, limitDatabase } = await openDatabases(bench, 'sso')
  const [limit, ours, ...peers] = await Promise.all([
    pgbenchVersion() ? signInLimit(bench, limitDatabase) : undefined,
    bench.startTiwala(database),
    ...SIGNATURES.map((signature) => startOidcProvider(signature, peerDatabase, folder)),
  ])

  const { journeys, warmUp, first } = plan.signIn
  const needed = (isFirst: boolean) => (isFirst ? first : journeys + warmUp)
  const newCodes = async (isFirst: boolean) => ({ origin: ours.origin, plan, items: await issueCodes(ours.origin, fixtures, needed(isFirst)) })
  const newOidcCodes = async (origin: string, isFirst: boolean) => ({
    origin,
    plan,
    items: await issueOidcCodes(peerDatabase, needed(isFirst)),
  })
  const measure = (job: Job, contender: Contender) => runLoad(job, [contender], postgres.pid)
  let tokens: string[] = []
  const entrants = [
    { name: 'journey', measure: async (isFirst: boolean) => measure(ourJourney(fixtures, await newCodes(isFirst)), ours) },
    ...peers.map((peer) => ({
      name: peer.name,
      measure: async (isFirst: boolean) => measure(oidcJourney(await newOidcCodes(peer.origin, isFirst)), peer),
    })),
    // The journeys of the first round have left these warm.
    {
      name: 'token',
      measure: async () => {
        const measured = await measure(ourTokens(fixtures, await newCodes(false)), ours)
        tokens = measured.tokens
        return measured
      },
    },
    { name: 'profile', measure: () => measure(ourProfiles(fixtures, { origin: ours.origin, plan, items: tokens }), ours) },
  ]
  const played = await runRounds(plan.signIn.rounds, entrants, { atItsEnd: limit?.round })
  await Promise.all([ours, ...peers].map(({ stop }) => stop()))
  return toSection(played, limit)
}

function toSection(played: Record<string, Measured[]>, limit: { tokens: number[]; profiles: number[] } | undefined): Section {
  const rates = (name: string) => played[name]!.map(({ perSecond }) => perSecond)
  const figures = [
    toFigure('Tiwala, journey', played['journey']!),
    ...SIGNATURES.map((signature) => toFigure(`oidc-provider, ${signature}`, played[`oidc-provider, ${signature}`]!)),
    toFigure('Tiwala, token alone', played['token']!),
    toFigure('Tiwala, profile alone', played['profile']!),
  ]
  const ratios = [
    ...SIGNATURES.map((signature) => ({
      name: `SSO journey / oidc-provider (${signature})`,
      value: ratioOf(rates('journey'), rates(`oidc-provider, ${signature}`)),
      bar: BARS[signature],
      aim: 4,
    })),
    ...(limit
      ? [
          { name: 'token / pgbench, the same statements', value: ratioOf(rates('token'), limit.tokens), bar: 0.2 },
          { name: 'SSO authentication / pgbench, the same statements', value: ratioOf(rates('profile'), limit.profiles), bar: 0.2 },
        ]
      : []),
  ]
  if (limit) {
    figures.push({ name: 'pgbench, statements of token', perSecond: median(limit.tokens) })
    figures.push({ name: 'pgbench, statements of profile', perSecond: median(limit.profiles) })
  }
  const bars = figures.map(({ name, perSecond }) => ({ name, value: perSecond! }))
  return {
    part: 'sso',
    title: 'Single sign-on: code to token to profile',
    how:
      'A journey is two requests. oidc-provider signs an ID token besides, with RS256 as is the default or with the cheapest algorithm it offers. ' +
      'Codes are made beforehand; their life is raised to an hour.',
    ratios,
    figures,
    notes: limit ? [] : ['The limit was not measured: there is no `pgbench` on this machine.'],
    pictures: [{ file: 'sso.svg', title: 'Single sign-on', unit: 'journeys, or requests, a second', bars }],
  }
}
