import { routeOf } from '../fixtures/api-client.ts'
import { type Fixtures, issueExchangeCodes } from '../fixtures/create-fixtures.ts'
import type { Job, SignInJob } from '../load/job.ts'
import { OIDC_CLIENT } from '../peers/create-oidc-provider.ts'
import type { Plan } from '../plan.ts'

type Target = { origin: string; plan: Plan }
type Steps = Pick<SignInJob, 'tokenStep' | 'profileStep'>

const signInJob = ({ origin, plan }: Target, items: string[], steps: Steps): Job => ({
  kind: 'signIn',
  origins: [origin],
  connections: plan.connections,
  warmUpItems: plan.signIn.warmUpJourneys,
  items,
  ...steps,
})

function tiwalaSteps({ credentials: { partner_code, partner_secret } }: Fixtures) {
  const form = { partner_code, partner_secret, scope: 'SSO_AUTHENTICATION' }
  return {
    tokenStep: { path: routeOf('generateToken').path, form, codeField: 'exchange_code' },
    profileStep: { method: 'POST', path: routeOf('authenticate').path },
  } as const
}

/** Code to token to profile. */
export const journeyJob = (fixtures: Fixtures, target: Target, codes: string[]): Job =>
  signInJob(target, codes, tiwalaSteps(fixtures))

/** Code to token. The result of the load generator contains the tokens. */
export const tokenJob = (fixtures: Fixtures, target: Target, codes: string[]): Job =>
  signInJob(target, codes, { tokenStep: tiwalaSteps(fixtures).tokenStep })

/** Token to profile. */
export const profileJob = (fixtures: Fixtures, target: Target, tokens: string[]): Job =>
  signInJob(target, tokens, { profileStep: tiwalaSteps(fixtures).profileStep })

/** Code to token to userinfo. */
export function oidcJourneyJob(target: Target, codes: string[]): Job {
  const { client_id, client_secret, redirect_uri } = OIDC_CLIENT
  const form = { client_id, client_secret, redirect_uri, grant_type: 'authorization_code' }
  return signInJob(target, codes, {
    tokenStep: { path: '/token', form, codeField: 'code' },
    profileStep: { method: 'GET', path: '/me' },
  })
}

/** The number of sign-ins in a round, including those of its warm-up. */
export const journeysPerRound = ({ signIn }: Plan, isWarmUpRound: boolean): number =>
  isWarmUpRound ? signIn.warmUpRoundJourneys : signIn.journeys + signIn.warmUpJourneys

/** Creates the exchange codes of a round and the job that redeems them. */
export async function prepareJourneyJob(
  fixtures: Fixtures,
  target: Target,
  isWarmUpRound: boolean,
): Promise<Job> {
  const count = journeysPerRound(target.plan, isWarmUpRound)
  return journeyJob(fixtures, target, await issueExchangeCodes(target.origin, fixtures, count))
}
