// The tests that suspending and resuming a partner share.
import { describe, expect, test } from 'vitest'
import { refusal, type TestService } from './test-service.ts'

/** Defines the tests of one of the two operations. */
export function testPartnerStatus(service: TestService, operation: 'suspendPartner' | 'resumePartner'): void {
  describe.each([operation])('%s', () => {
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
      expect((await refusal(service.operator(operation, { path: { partner_code: 'UNKNOWN' } }))).code).toBe(
        'not_found',
      )
    })

    test('403: an operator without the scope changes nothing', async () => {
      const partner = await service.partner()
      const response = await service.send(operation, {
        headers: {
          Authorization: `Bearer ${await service.tokens.operator('')}`,
          'Content-Type': 'application/json',
        },
        path: { partner_code: partner.code },
      })
      expect(response.status).toBe(403)
      expect((await refusal(partner.profiles.inquire('unknown'))).code).toBe('tracking_no_not_found')
    })
  })
}
