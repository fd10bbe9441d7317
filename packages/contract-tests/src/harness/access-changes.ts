// What an administrator changes about a partner's access, while the partner waits or holds a token.
import type { ErrorCode } from '@tiwala/contract'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { credentialsOf } from './credentials.ts'
import type { Citizen, Partner, World } from './world.ts'

export type Change = { what: string; change: (world: World, partner: Partner) => Promise<unknown>; status: number; error: ErrorCode }

export const changePartner = (world: World, { code }: Partner, body: object) =>
  world.operator('changePartner', { path: { partner_code: code }, body })

export async function revoke(world: World, partner: Partner, kind: 'secret_token' | 'partner_secret') {
  const { list, revoke: revokeCredential } = credentialsOf(world)
  const credential = (await list(partner)).find((each) => each.kind === kind && each.status === 'ACTIVE')!
  await revokeCredential(partner, credential.id)
}

/** The partner's secrets expire in so many seconds. */
export const endSoon = (world: World, { code }: Partner, seconds: number) =>
  sql`update credential set expires_at = clock_now() + make_interval(secs => ${seconds})
       where partner_id = (select id from partner where partner_code = ${code})`.execute(world.db)

/** What ends a partner's access, and how an open `inquire` of it is then answered. */
export const CHANGES: Change[] = [
  {
    what: 'the secret is revoked',
    change: (world, partner) => revoke(world, partner, 'secret_token'),
    status: 401,
    error: 'credentials_invalid',
  },
  {
    what: 'the secret is rotated without grace',
    change: (world, partner) => credentialsOf(world).rotate(partner, 0),
    status: 401,
    error: 'credentials_invalid',
  },
  { what: 'the secret ends', change: (world, partner) => endSoon(world, partner, 0), status: 401, error: 'credentials_invalid' },
  {
    what: 'the partner is suspended',
    change: (world, { code }) => world.operator('suspendPartner', { path: { partner_code: code } }),
    status: 403,
    error: 'partner_suspended',
  },
  {
    what: 'the scope is withdrawn',
    change: (world, partner) => changePartner(world, partner, { scopes: ['PROFILE_VIEW'] }),
    status: 403,
    error: 'scope_not_granted',
  },
  {
    what: 'the address is no longer allowed',
    change: (world, partner) => changePartner(world, partner, { ip_allow_list: ['203.0.113.7'] }),
    status: 403,
    error: 'ip_not_allowed',
  },
]

/** Starts a long poll, and returns once it waits. */
export async function startWait(world: World) {
  const pending = await world.pending()
  const before = world.waiting()
  const startedAtMs = performance.now()
  const answer = world.send('inquire', {
    query: `tracking_no=${pending.trackingNo}`,
    headers: { ...pending.partner.headers, Prefer: 'wait=25' },
  })
  await expect.poll(() => world.waiting(), { interval: 5 }).toBe(before + 1)
  return { ...pending, answer: answer.then((response) => ({ response, tookMs: performance.now() - startedAtMs })) }
}

export const disclosuresTo = async (citizen: Citizen) => (await citizen.app('listDisclosures', {})).body.disclosures
