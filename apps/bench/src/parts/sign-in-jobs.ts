import type { Job, SignInJob } from '../load/job.ts'
import { OIDC_CLIENT } from '../peers/oidc-configuration.ts'
import type { Plan } from '../plan.ts'
import { locate } from '../world/calls.ts'
import type { World } from '../world/populate.ts'

type Items = { origin: string; plan: Plan; items: string[] }

const jobOf = ({ origin, plan, items }: Items, steps: Pick<SignInJob, 'token' | 'profile'>): Job => ({
  kind: 'signIn',
  origins: [origin],
  connections: plan.connections,
  warmUp: plan.signIn.warmUp,
  items,
  ...steps,
})

function ourSteps({ credentials: { partner_code, partner_secret } }: World) {
  const form = { partner_code, partner_secret, scope: 'SSO_AUTHENTICATION' }
  return {
    token: { path: locate('generateToken').path, form, codeField: 'exchange_code' },
    profile: { method: 'POST', path: locate('authenticate').path },
  } as const
}

/** Code to token to profile. */
export const ourJourney = (world: World, items: Items): Job => jobOf(items, ourSteps(world))
/** Code to token; the tokens are in the outcome. */
export const ourTokens = (world: World, items: Items): Job => jobOf(items, { token: ourSteps(world).token })
/** Token to profile. */
export const ourProfiles = (world: World, items: Items): Job => jobOf(items, { profile: ourSteps(world).profile })

/** Code to token to userinfo. */
export function oidcJourney(items: Items): Job {
  const { client_id, client_secret, redirect_uri } = OIDC_CLIENT
  const form = { client_id, client_secret, redirect_uri, grant_type: 'authorization_code' }
  return jobOf(items, { token: { path: '/token', form, codeField: 'code' }, profile: { method: 'GET', path: '/me' } })
}
