import { ALL_SCOPES } from '@tiwala/kit/users'
// Access that ends during a request, or after a token was issued, ends even if no notification of the change
// arrives.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type AccessChange, ACCESS_CHANGES, endSoon, revoke, startLongPoll } from '../kit/access-changes.ts'
import { createCredentialClient, DAY_SECONDS } from '../kit/credential-client.ts'
import { errorBody } from '../kit/error-body.ts'
import { refusal, startServiceForFile, type TestService } from '../kit/test-service.ts'
import { type Partner } from '../kit/users.ts'

/**
 * A separate service: it sends no notification of a partner's change, and the test moves its clock far
 * ahead.
 */
const service = await startServiceForFile({})
await sql`
  create or replace function notify_partner(changed_partner_id bigint) returns void
  language sql as ''`.execute(service.db)

describe('without a notification of the change', () => {
  test.each(ACCESS_CHANGES)(
    '$status: the disclosing statement itself checks that $what',
    async ({ change, status, error }) => {
      const { partner, citizen, trackingNo, pendingResponse } = await startLongPoll(service)
      await change(service, partner)
      await citizen.accept(trackingNo)
      expect(await errorBody((await pendingResponse).response)).toMatchObject({ status, error })
      expect(await citizen.disclosures()).toEqual([])
    },
  )

  /** Changes the partner like another process: this process has the earlier partner in its cache. */
  const elsewhere =
    (text: string) =>
    (own: TestService, { code }: Partner) =>
      sql`${sql.raw(text)} partner_code = ${code}`.execute(own.db)

  /** A partner that this process has in its cache, with QR values and a code to redeem. */
  async function cached() {
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    const { record } = await partner.profiles.requestAuthorization(await citizen.showQr())
    await citizen.accept(record.tracking_no)
    const [qrValue, shared, code] = [
      await citizen.showQr(),
      await citizen.showQr('share'),
      await citizen.exchangeCode(partner.code),
    ]
    const { list } = createCredentialClient(service)
    const call = () => Promise.all([partner.profiles.whoAmI(), refusal(partner.sso.generateToken('junk'))])
    await call()
    await expect
      .poll(async () => (await list(partner)).every(({ last_used_on }) => last_used_on), { interval: 10 })
      .toBe(true)
    const operations = {
      inquire: () => partner.profiles.inquire(record.tracking_no),
      requestAuthorization: () => partner.profiles.requestAuthorization(qrValue),
      profileByQr: () => partner.profiles.profileByQr(shared),
      generateToken: () => partner.sso.generateToken(code),
    }
    await call()
    return { partner, citizen, operations }
  }
  const OPERATIONS = ['inquire', 'requestAuthorization', 'profileByQr', 'generateToken'] as const

  test.each(OPERATIONS)(
    '403: %s refuses a partner that another process has just suspended; nothing is used',
    async (id) => {
      const { partner, citizen, operations } = await cached()
      const before = await citizen.disclosures()
      await elsewhere(`update partner set status = 'SUSPENDED' where`)(service, partner)
      expect(await refusal(operations[id]())).toMatchObject({ status: 403, code: 'partner_suspended' })
      expect(await citizen.disclosures()).toEqual(before)
      await elsewhere(`update partner set status = 'ACTIVE' where`)(service, partner)
      await expect(operations[id]()).resolves.toBeDefined()
    },
  )

  test.each(OPERATIONS)(
    '200: %s succeeds at the first request after another process has granted more',
    async (id) => {
      const { partner, operations } = await cached()
      await elsewhere(`update partner set ip_allow_list = '{127.0.0.0/8,::1}' where`)(service, partner)
      await expect(operations[id]()).resolves.toBeDefined()
    },
  )
})

describe('an access token', () => {
  async function issued() {
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    const token = await partner.sso.generateToken(await citizen.exchangeCode(partner.code))
    return { partner, citizen, token }
  }
  const INVALID = { status: 401, code: 'token_invalid' }

  test.each<Pick<AccessChange, 'what' | 'change'>>([
    { what: 'is revoked', change: (own, partner) => revoke(own, partner, 'partner_secret') },
    {
      what: 'is rotated without grace',
      change: (own, partner) => createCredentialClient(own).rotate(partner, 0, 'partner_secret'),
    },
  ])('401: the token ends when the secret that obtained it $what', async ({ change }) => {
    const { partner, citizen, token } = await issued()
    await change(service, partner)
    expect(await refusal(partner.sso.authenticate(token))).toMatchObject(INVALID)
    expect(await citizen.disclosures()).toEqual([])
  })

  test('401: the token ends when the secret that obtained it expires', async () => {
    const { partner, token } = await issued()
    await endSoon(service, partner, 60)
    await service.advance(60)
    expect(await refusal(partner.sso.authenticate(token))).toMatchObject(INVALID)
  })

  test.each<Pick<AccessChange, 'what' | 'change'>>([
    {
      what: 'the secret that obtained it is rotated with grace',
      change: (own, partner) => createCredentialClient(own).rotate(partner, 7, 'partner_secret'),
    },
    {
      what: 'a secret of the other kind is revoked',
      change: (own, partner) => revoke(own, partner, 'secret_token'),
    },
    {
      what: 'the successor of the secret is revoked',
      change: async (own, partner) => {
        const { credential } = await createCredentialClient(own).rotate(partner, 7, 'partner_secret')
        await createCredentialClient(own).revoke(partner, credential.id)
      },
    },
    {
      what: 'the partner gets another scope',
      change: (_service, partner) => partner.change({ scopes: ALL_SCOPES.slice(1) }),
    },
  ])('200: the token stays valid when $what', async ({ change }) => {
    const { partner, citizen, token } = await issued()
    await change(service, partner)
    expect((await partner.sso.authenticate(token)).uniqid).toBe(citizen.uniqid)
  })

  test('403: the token is refused while the partner lacks the scope, and not consumed', async () => {
    const { partner, citizen, token } = await issued()
    await partner.change({ scopes: ['PROFILE_INQUIRE'] })
    expect(await refusal(partner.sso.authenticate(token))).toMatchObject({
      status: 403,
      code: 'scope_not_granted',
    })
    await partner.change({ scopes: ALL_SCOPES })
    expect((await partner.sso.authenticate(token)).uniqid).toBe(citizen.uniqid)
  })

  test('403: a record of profileByQr is not read while the scope PROFILE_VIEW is missing', async () => {
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    const { record } = await partner.profiles.profileByQr(await citizen.showQr('share'))
    await partner.change({ scopes: ['PROFILE_INQUIRE'] })
    expect(await refusal(partner.profiles.inquire(record.tracking_no))).toMatchObject({
      status: 403,
      code: 'scope_not_granted',
    })
    await partner.change({ scopes: ['PROFILE_INQUIRE', 'PROFILE_VIEW'] })
    expect((await partner.profiles.inquire(record.tracking_no)).state).toBe('VIEWED')
  })

  test('401: the grace period ends a token of the old secret, not one of the new secret', async () => {
    const { partner, citizen } = await issued()
    const { secret } = await createCredentialClient(service).rotate(partner, 1, 'partner_secret')
    await service.advance(DAY_SECONDS - 100)
    const exchange = async (partner_secret: string) => {
      const fields = {
        partner_code: partner.code,
        partner_secret,
        scope: 'SSO_AUTHENTICATION',
        exchange_code: await citizen.exchangeCode(partner.code),
      }
      const response = await service.send('generateToken', {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(fields),
      })
      return ((await response.json()) as { access_token: string }).access_token
    }
    const [ofOld, ofNew] = [await exchange(partner.credentials.partner_secret), await exchange(secret)]
    await service.advance(100)
    expect(await refusal(partner.sso.authenticate(ofOld))).toMatchObject(INVALID)
    expect((await partner.sso.authenticate(ofNew)).uniqid).toBe(citizen.uniqid)
  })
})
