import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal, startTestService, type TestService } from '../kit/test-service.ts'

let service: TestService
beforeAll(async () => void (service = await startTestService()))
afterAll(() => service.close())

/** The headers of an operator without any scope. */
const unscopedHeaders = async () => ({
  Authorization: `Bearer ${await service.tokens.operator('')}`,
  'Content-Type': 'application/json',
})

describe('suspendPartner', () => {
  test('200: every request of a suspended partner is refused, until it is resumed', async () => {
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    const path = { partner_code: partner.code }
    expect((await service.operator('suspendPartner', { path })).body.status).toBe('SUSPENDED')
    expect((await refusal(partner.profiles.inquire('unknown'))).code).toBe('partner_suspended')
    const exchange = refusal(partner.sso.generateToken(`twx_${'0'.repeat(49)}`))
    expect((await exchange).code).toBe('partner_suspended')
    expect((await service.operator('resumePartner', { path })).body.status).toBe('ACTIVE')
    expect((await partner.profiles.requestAuthorization(await citizen.showQr())).state).toBe('PENDING')
  })

  test('404: an unknown partner', async () => {
    expect(
      (await refusal(service.operator('suspendPartner', { path: { partner_code: 'UNKNOWN' } }))).code,
    ).toBe('not_found')
  })

  test('403: an operator without the scope changes nothing', async () => {
    const partner = await service.partner()
    const response = await service.send('suspendPartner', {
      headers: await unscopedHeaders(),
      path: { partner_code: partner.code },
    })
    expect(response.status).toBe(403)
    expect((await refusal(partner.profiles.inquire('unknown'))).code).toBe('tracking_no_not_found')
  })
})
