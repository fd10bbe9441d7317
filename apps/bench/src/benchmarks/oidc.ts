import type { Bench } from '../bench.ts'
import { startContender } from '../contenders/contender.ts'
import { issueSignInCodes, registerForSignIn } from '../fixtures/issue-sign-in-codes.ts'
import { issueKeycloakCodes, signUsersIn, startKeycloak } from '../peers/keycloak.ts'
import { issueOidcCodes } from '../peers/oidc-provider.ts'
import type { Section } from '../report/section.ts'
import { ratioOf, runRounds, type Task } from '../rounds.ts'
import { journeysPerRound, KEYCLOAK_STEPS, measureSteps, OIDC_STEPS, signInSteps, targetOf } from './jobs.ts'

const [TIWALA, PEER, KEYCLOAK] = ['Tiwala, OpenID Connect', 'oidc-provider, RS256', 'Keycloak']

/** Compares the sign-in by OpenID Connect with the library that it is built on, alone, and with Keycloak if there is one. */
export async function benchOidc(bench: Bench): Promise<Section> {
  const { plan, fixtures, folder } = bench
  const [databaseUrl, peerUrl] = [await bench.openDatabase('oidc'), await bench.openPeerDatabase('oidc_peer')]
  const tiwala = await bench.tiwala.start(databaseUrl)
  await registerForSignIn(bench, tiwala.origin)
  const peer = await startContender({
    name: PEER,
    args: ['../peers/oidc-server.ts', 'RS256'],
    env: { DATABASE_URL: peerUrl },
    readyPath: '/.well-known/openid-configuration',
    logFolder: folder,
  })
  const tasks: Task[] = [
    {
      name: TIWALA,
      measure: async (isWarmUpRound) => {
        const codes = await issueSignInCodes(bench, databaseUrl, journeysPerRound(plan.oidc, isWarmUpRound))
        const target = targetOf(bench, tiwala)
        return measureSteps(bench, target, codes, signInSteps(fixtures), plan.oidc.warmUpJourneys)
      },
    },
    {
      name: PEER,
      measure: async (isWarmUpRound) => {
        const count = journeysPerRound(plan.oidc, isWarmUpRound)
        const codes = await issueOidcCodes(peerUrl, count, { hasSession: true })
        return measureSteps(bench, targetOf(bench, peer), codes, OIDC_STEPS, plan.oidc.warmUpJourneys)
      },
    },
  ]
  const keycloakHome = process.env['KEYCLOAK_HOME']
  if (keycloakHome) {
    const keycloak = await startKeycloak(keycloakHome, await bench.createDatabase('keycloak'), folder)
    const browsers = await signUsersIn(keycloak.origin)
    tasks.push({
      name: KEYCLOAK,
      measure: async (isWarmUpRound) => {
        const count = journeysPerRound(plan.oidc, isWarmUpRound)
        const codes = await issueKeycloakCodes(keycloak.origin, browsers, count)
        return measureSteps(bench, targetOf(bench, keycloak), codes, KEYCLOAK_STEPS, plan.oidc.warmUpJourneys)
      },
    })
  }
  const rounds = await runRounds(plan.oidc.rounds, tasks)
  return {
    ratios: [
      {
        name: 'OpenID Connect sign-in / oidc-provider (RS256)',
        value: ratioOf(rounds, TIWALA, PEER),
        threshold: 0.7,
      },
      ...(keycloakHome
        ? [
            {
              name: 'OpenID Connect sign-in / Keycloak',
              value: ratioOf(rounds, TIWALA, KEYCLOAK),
              threshold: 1.5,
            },
          ]
        : []),
    ],
    rounds,
  }
}
