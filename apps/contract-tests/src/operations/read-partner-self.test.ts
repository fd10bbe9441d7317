import { describe, expect, test } from 'vitest'
import { errorBody } from '../kit/error-body.ts'
import { startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile({
  TIWALA_REQUESTS_PER_MINUTE: '7',
  TIWALA_VIEWS_PER_MINUTE: '8',
})

describe('readPartnerSelf', () => {
  test('200: the partner with its scopes, limits and the expiry of its secrets', async () => {
    const sso_url = 'https://hotel.example/sign-in'
    const partner = await service.partner({ name: 'Hotel Mabuhay', scopes: ['PROFILE_VIEW'], sso_url })
    const { expires_at } = partner.credentials
    expect(await partner.profiles.whoAmI()).toEqual({
      name: 'Hotel Mabuhay',
      partner_code: partner.code,
      environment: 'sandbox',
      status: 'ACTIVE',
      scopes: ['PROFILE_VIEW'],
      callback_url: null,
      sso_url,
      secrets: { secret_token: { expires_at }, partner_secret: { expires_at } },
      limits: {
        requests_per_minute: 7,
        views_per_minute: 8,
        tokens_per_minute: 1_000_000,
        sign_ins_per_minute: 1_000_000,
        per_day: null,
      },
    })
  })

  test('200: the limits of the partner override those of the service', async () => {
    const partner = await service.partner({ limits: { requests_per_minute: 3, per_day: 50 } })
    expect((await partner.profiles.whoAmI()).limits).toMatchObject({
      requests_per_minute: 3,
      views_per_minute: 8,
      per_day: 50,
    })
  })

  test('200: the operation has no rate limit and counts toward none', async () => {
    const partner = await service.partner()
    for (let count = 0; count < 10; count++) await partner.profiles.whoAmI()
    const response = await service.send('readPartnerSelf', { headers: partner.headers })
    expect([response.status, response.headers.get('ratelimit')]).toEqual([200, null])
    const citizen = await service.citizen()
    for (let count = 0; count < 7; count++)
      await partner.profiles.requestAuthorization(await citizen.showQr())
  })

  test('200: the response holds no secret', async () => {
    const partner = await service.partner()
    const { secret_token, partner_secret, webhook_secret, secret_code } = partner.credentials
    const text = JSON.stringify(await partner.profiles.whoAmI())
    for (const secret of [secret_token, partner_secret, webhook_secret, secret_code])
      expect(text).not.toContain(secret)
  })
})

describe.each(['readPartnerSelf', 'readDiagnosis'] as const)('%s', (id) => {
  test('403: a request from a browser', async () => {
    const { headers } = await service.partner()
    const response = await service.send(id, { headers: { ...headers, Origin: 'https://partner.example' } })
    expect(await errorBody(response)).toMatchObject({ status: 403, error: 'browser_use_forbidden' })
  })
})
