import type { Job, SignInJob } from '../load/job.ts'
import { OIDC_CLIENT } from '../peers/create-oidc-provider.ts'
import type { Plan } from '../plan.ts'
import { locate } from '../fixtures/api-client.ts'
import type { Fixtures } from '../fixtures/create-fixtures.ts'

type Items = { origin: string; plan: Plan; items: string[] }

const jobOf = ({ origin, plan, items }: Items, steps: Pick<SignInJob, 'token' | 'profile'>): Job => ({
  kind: 'signIn',
  origins: [origin],
  connections: plan.connections,
  warmUp: plan.signIn.warmUp,
  items,
  ...steps,
})

function ourSteps({ credentials: { partner_code, partner_secret } }: Fixtures) {
  const form = { partner_code, partner_secret, scope: 'SSO_AUTHENTICATION' }
  return {
    token: { path: locate('generateToken').path, form, codeField: 'exchange_code' },
    profile: { method: 'POST', path: locate('authenticate').path },
  } as const
}

/** Code to token to profile. */
export const ourJourney = (fixtures: Fixtures, items: Items): Job => jobOf(items, ourSteps(fixtures))
/** Code to token; the tokens are in the outcome. */
export const ourTokens = (fixtures: Fixtures, items: Items): Job => jobOf(items, { token: ourSteps(fixtures).token })
/** Token to profile. */
export const ourProfiles = (fixtures: Fixtures, items: Items): Job => jobOf(items, { profile: ourSteps(fixtures).profile })

/** Code to token to userinfo. */
export function oidcJourney(items: Items): Job {
  const { client_id, client_secret, redirect_uri } = OIDC_CLIENT
  const form = { client_id, client_secret, redirect_uri, grant_type: 'authorization_code' }
  return jobOf(items, { token: { path: '/token', form, codeField: 'code' }, profile: { method: 'GET', path: '/me' } })
}
