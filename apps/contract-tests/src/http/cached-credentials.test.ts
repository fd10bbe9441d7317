import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { CREDENTIAL_KINDS, createCredentialClient, DAY_SECONDS } from '../kit/credential-client.ts'
import { refusal, startServiceForFile } from '../kit/test-service.ts'

/** A separate service, because the test moves the clock far ahead. */
const service = await startServiceForFile({})
const credentials = createCredentialClient(service)

/** A partner that has just authenticated several times, so that its credentials are in the cache. */
async function startCaller({ kind, attempt, right }: (typeof CREDENTIAL_KINDS)[number]) {
  const partner = await service.partner()
  const request = (secret = partner.credentials[kind]) => credentials[attempt](partner, secret)
  const idOf = async () => (await credentials.list(partner)).find((credential) => credential.kind === kind)!
  expect(await request()).toBe(right)
  // The credential is in the cache only after this.
  await expect.poll(async () => (await idOf()).last_used_on, { interval: 20 }).not.toBeNull()
  const { id } = await idOf()
  for (const status of [await request(), await request()]) expect(status).toBe(right)
  return { partner, request, id }
}

describe.each(CREDENTIAL_KINDS)('a cached $kind', (credentialKind) => {
  const { kind, right, wrong } = credentialKind

  test(`${wrong}: a revoked secret`, async () => {
    const { partner, request, id } = await startCaller(credentialKind)
    await credentials.revoke(partner, id)
    expect(await request()).toBe(wrong)
  })

  test(`${right}: its successor, during and after the grace period`, async () => {
    const { partner, request } = await startCaller(credentialKind)
    const second = await credentials.rotate(partner, 7, kind)
    expect([await request(), await request(second.secret)]).toEqual([right, right])
    const third = await credentials.rotate(partner, 0, kind)
    expect([await request(), await request(second.secret), await request(third.secret)]).toEqual([
      wrong,
      wrong,
      right,
    ])
  })

  test(`${wrong}: another secret; the right one still works`, async () => {
    const { request } = await startCaller(credentialKind)
    const { credentials: others } = await service.partner()
    expect([await request(others[kind]), await request()]).toEqual([wrong, right])
  })

  test('403: a suspended partner, until it is resumed', async () => {
    const { partner, request } = await startCaller(credentialKind)
    const path = { partner_code: partner.code }
    await service.operator('suspendPartner', { path })
    expect(await request()).toBe(403)
    await service.operator('resumePartner', { path })
    expect(await request()).toBe(right)
  })

  test('403: an address that is not allowed, until it is allowed again', async () => {
    const { partner, request } = await startCaller(credentialKind)
    await partner.change({ ip_allow_list: ['203.0.113.7'] })
    expect(await request()).toBe(403)
    await partner.change({ ip_allow_list: [] })
    expect(await request()).toBe(right)
  })

  test(`${wrong}: an expired secret`, async () => {
    const { request } = await startCaller(credentialKind)
    await service.advance(366 * DAY_SECONDS)
    expect(await request()).toBe(wrong)
  })
})

test('401: a secret that ends while its request runs; the response shows no limit of the partner', async () => {
  const { partner, id } = await startCaller(CREDENTIAL_KINDS.find(({ kind }) => kind === 'secret_token')!)
  const citizen = await service.citizen()
  // Without a notification, the secret stays in the cache.
  await sql`update credential set revoked_at = clock_now() where credential_id = ${id}`.execute(service.db)
  const refused = await refusal(partner.profiles.requestAuthorization(await citizen.showQr()))
  expect(refused.code).toBe('credentials_invalid')
})
