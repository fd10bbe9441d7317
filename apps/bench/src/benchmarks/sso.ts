import type { Bench } from '../bench.ts'
import type { Contender } from '../contenders/contender.ts'
import { issueOidcCodes, startOidcProvider } from '../contenders/peers.ts'
import { issueExchangeCodes } from '../fixtures/create-fixtures.ts'
import type { Job } from '../load/job.ts'
import { type Measurement, runLoad } from '../load/run-load.ts'
import { log } from '../log.ts'
import { NO_PGBENCH_NOTE, pgbenchVersion } from '../postgres/pgbench.ts'
import { median, medianRatio } from '../report/median.ts'
import type { Section } from '../report/section.ts'
import { openDatabases } from './open-databases.ts'
import { ratesOf, runRounds, toFigure } from './run-rounds.ts'
import { prepareSignInBaseline, type SignInBaseline } from './sign-in-baseline.ts'
import { journeysPerRound, oidcJourneyJob, prepareJourneyJob, profileJob, tokenJob } from './sign-in-jobs.ts'

const TITLE = 'Single sign-on: code to token to profile'
const ALGORITHMS = ['RS256', 'EdDSA'] as const
/** Higher for RS256, the default algorithm. */
const THRESHOLDS = { RS256: 3, EdDSA: 2 }

/**
 * Compares the sign-in journey of the service with that of oidc-provider, and each of its two steps with
 * pgbench, which runs the statements of that step.
 */
export async function benchSso(bench: Bench): Promise<Section> {
  const { plan, fixtures, folder, postgres } = bench
  log(TITLE)
  const { database, peerDatabase, baselineDatabase } = await openDatabases(bench, 'sso')
  const [baseline, tiwala, ...peers] = await Promise.all([
    pgbenchVersion() ? prepareSignInBaseline(bench, baselineDatabase) : undefined,
    bench.startTiwala(database),
    ...ALGORITHMS.map((algorithm) => startOidcProvider(algorithm, peerDatabase, folder)),
  ])
  const target = { origin: tiwala.origin, plan }
  const measure = (job: Job, contender: Contender) => runLoad(job, [contender], postgres.pid)

  const measureJourney = async (isWarmUpRound: boolean) =>
    measure(await prepareJourneyJob(fixtures, target, isWarmUpRound), tiwala)
  const measureOidcJourney = async (peer: Contender, isWarmUpRound: boolean) => {
    const codes = await issueOidcCodes(peerDatabase, journeysPerRound(plan, isWarmUpRound))
    return measure(oidcJourneyJob({ origin: peer.origin, plan }, codes), peer)
  }
  // The journeys of the warm-up round warm up both steps, so the steps have no long warm-up round.
  let tokens: string[] = []
  const measureToken = async () => {
    const codes = await issueExchangeCodes(tiwala.origin, fixtures, journeysPerRound(plan, false))
    const measurement = await measure(tokenJob(fixtures, target, codes), tiwala)
    tokens = measurement.tokens
    return measurement
  }
  const tasks = [
    { name: 'journey', measure: measureJourney },
    ...peers.map((peer) => ({
      name: peer.name,
      measure: (isWarmUpRound: boolean) => measureOidcJourney(peer, isWarmUpRound),
    })),
    { name: 'token', measure: measureToken },
    { name: 'profile', measure: () => measure(profileJob(fixtures, target, tokens), tiwala) },
  ]
  const measurements = await runRounds(plan.signIn.rounds, tasks, { afterEachRound: baseline?.runRound })
  await Promise.all([tiwala, ...peers].map(({ stop }) => stop()))
  return toSection(measurements, baseline)
}

function toSection(
  measurements: Record<string, Measurement[]>,
  baseline: SignInBaseline | undefined,
): Section {
  const rates = (name: string) => ratesOf(measurements[name]!)
  const figures = [
    toFigure('Tiwala, journey', measurements['journey']!),
    ...ALGORITHMS.map((algorithm) => `oidc-provider, ${algorithm}`).map((name) =>
      toFigure(name, measurements[name]!),
    ),
    toFigure('Tiwala, token only', measurements['token']!),
    toFigure('Tiwala, profile only', measurements['profile']!),
  ]
  const ratios: Section['ratios'] = ALGORITHMS.map((algorithm) => ({
    name: `SSO journey / oidc-provider (${algorithm})`,
    value: medianRatio(rates('journey'), rates(`oidc-provider, ${algorithm}`)),
    threshold: THRESHOLDS[algorithm],
    target: 4,
  }))
  const notes: string[] = []
  if (baseline) {
    const { tokenRates, profileRates } = baseline
    const token = { value: medianRatio(rates('token'), tokenRates), threshold: 0.2 }
    const profile = { value: medianRatio(rates('profile'), profileRates), threshold: 0.2 }
    ratios.push({ name: 'token / pgbench, the same statements', ...token })
    ratios.push({ name: 'SSO authentication / pgbench, the same statements', ...profile })
    figures.push({ name: 'pgbench, token statements', perSecond: median(tokenRates) })
    figures.push({ name: 'pgbench, profile statements', perSecond: median(profileRates) })
  } else notes.push(NO_PGBENCH_NOTE)
  const bars = figures.map(({ name, perSecond }) => ({ name, value: perSecond! }))
  return {
    benchmark: 'sso',
    title: TITLE,
    method:
      'A journey is two requests. oidc-provider also signs an ID token, with RS256 (the default) or with ' +
      'EdDSA (the cheapest algorithm that it offers). Codes are created before the rounds; their lifetime ' +
      'is raised to one hour.',
    ratios,
    figures,
    notes,
    charts: [{ file: 'sso.svg', title: 'Single sign-on', unit: 'journeys or requests per second', bars }],
  }
}
