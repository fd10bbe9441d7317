// Changes of a partner's access while the partner waits or has a token.
import type { ErrorCode } from '@tiwala/contract'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { createCredentialClient } from './credential-client.ts'
import type { TestService } from './test-service.ts'
import type { Partner } from './users.ts'

export type AccessChange = {
  what: string
  change: (service: TestService, partner: Partner) => Promise<unknown>
  status: number
  error: ErrorCode
}

export async function revoke(
  service: TestService,
  partner: Partner,
  kind: 'secret_token' | 'partner_secret',
) {
  const { list, revoke: revokeCredential } = createCredentialClient(service)
  const credential = (await list(partner)).find((each) => each.kind === kind && each.status === 'ACTIVE')!
  await revokeCredential(partner, credential.id)
}

/** Sets the expiry of the partner's secrets to `seconds` from now. */
export const endSoon = (service: TestService, { code }: Partner, seconds: number) =>
  sql`update credential set expires_at = clock_now() + make_interval(secs => ${seconds})
       where partner_id = (select id from partner where partner_code = ${code})`.execute(service.db)

/** Changes that end a partner's access, and the response of a waiting `inquire` after each of them. */
export const ACCESS_CHANGES: AccessChange[] = [
  {
    what: 'the secret is revoked',
    change: (service, partner) => revoke(service, partner, 'secret_token'),
    status: 401,
    error: 'credentials_invalid',
  },
  {
    what: 'the secret is rotated without grace',
    change: (service, partner) => createCredentialClient(service).rotate(partner, 0),
    status: 401,
    error: 'credentials_invalid',
  },
  {
    what: 'the secret ends',
    change: (service, partner) => endSoon(service, partner, 0),
    status: 401,
    error: 'credentials_invalid',
  },
  {
    what: 'the partner is suspended',
    change: (service, { code }) => service.operator('suspendPartner', { path: { partner_code: code } }),
    status: 403,
    error: 'partner_suspended',
  },
  {
    what: 'the scope is withdrawn',
    change: (_service, partner) => partner.change({ scopes: ['PROFILE_VIEW'] }),
    status: 403,
    error: 'scope_not_granted',
  },
  {
    what: 'the address is no longer allowed',
    change: (_service, partner) => partner.change({ ip_allow_list: ['203.0.113.7'] }),
    status: 403,
    error: 'ip_not_allowed',
  },
]

/** Starts a long poll, and returns once the server holds it. */
export async function startLongPoll(service: TestService) {
  const pending = await service.pending()
  const before = service.waiting()
  const startedAtMs = performance.now()
  const pendingResponse = service.send('inquire', {
    query: `tracking_no=${pending.trackingNo}`,
    headers: { ...pending.partner.headers, Prefer: 'wait=25' },
  })
  await expect.poll(() => service.waiting(), { interval: 5 }).toBe(before + 1)
  return {
    ...pending,
    pendingResponse: pendingResponse.then((response) => ({
      response,
      tookMs: performance.now() - startedAtMs,
    })),
  }
}
