import type { Bench } from '../bench.ts'
import { startContender } from '../contenders/contender.ts'
import { issueOidcCodes } from '../peers/oidc-provider.ts'
import { signInBaseline } from '../pgbench/baselines.ts'
import type { Section } from '../report/section.ts'
import { ratioOf, runRounds, type Task } from '../rounds.ts'
import { journeysPerRound, measureJourneys, measureSteps, OIDC_STEPS, targetOf, tiwalaSteps } from './jobs.ts'

/** The threshold is higher for RS256, the default algorithm. */
const PEERS = [
  { algorithm: 'RS256', threshold: 3 },
  { algorithm: 'EdDSA', threshold: 2 },
]

/**
 * Compares the sign-in journey of the service with that of oidc-provider, and each of its two steps with
 * pgbench, which runs the statements of that step.
 */
export async function benchSso(bench: Bench): Promise<Section> {
  const { plan, fixtures, folder } = bench
  const databaseUrl = await bench.openPeerDatabase('sso_peers')
  const tiwala = await bench.tiwala.start(await bench.openDatabase('sso'))
  const target = targetOf(bench, tiwala)
  const peers = await Promise.all(
    PEERS.map(({ algorithm }) =>
      startContender({
        name: `oidc-provider, ${algorithm}`,
        args: ['../peers/oidc-server.ts', algorithm],
        env: { DATABASE_URL: databaseUrl },
        readyPath: '/.well-known/openid-configuration',
        logFolder: folder,
      }),
    ),
  )
  const [tokenStep, profileStep] = tiwalaSteps(fixtures)
  let tokens: string[] = []
  // The journeys of the warm-up round warm up both steps, so the steps have no long warm-up round.
  const tasks: Task[] = [
    {
      name: 'Tiwala, journey',
      measure: (isWarmUpRound) => measureJourneys(bench, target, isWarmUpRound),
    },
    ...peers.map((peer) => ({
      name: peer.name,
      measure: async (isWarmUpRound: boolean) => {
        const codes = await issueOidcCodes(databaseUrl, journeysPerRound(plan.signIn, isWarmUpRound))
        return measureSteps(bench, targetOf(bench, peer), codes, OIDC_STEPS)
      },
    })),
    {
      name: 'Tiwala, token only',
      hasNoWarmUpRound: true,
      measure: async () => {
        const measurement = await measureJourneys(bench, target, false, [tokenStep])
        tokens = measurement.taken
        return measurement
      },
    },
    {
      name: 'Tiwala, profile only',
      hasNoWarmUpRound: true,
      measure: () => measureSteps(bench, target, tokens, [profileStep]),
    },
  ]
  const baseline = await signInBaseline(bench)
  const rounds = await runRounds(plan.signIn.rounds, [...tasks, ...baseline])
  return {
    ratios: [
      ...PEERS.map(({ algorithm, threshold }) => ({
        name: `SSO journey / oidc-provider (${algorithm})`,
        value: ratioOf(rounds, 'Tiwala, journey', `oidc-provider, ${algorithm}`),
        threshold,
        target: 4,
      })),
      ...baseline.map(({ name, step, stepName }) => ({
        name: `${stepName} / pgbench, the same statements`,
        value: ratioOf(rounds, `Tiwala, ${step} only`, name),
        threshold: 0.2,
      })),
    ],
    rounds,
  }
}
