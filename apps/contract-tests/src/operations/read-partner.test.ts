import { describe, expect, test } from 'vitest'
import { NO_LIMITS, startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile()

describe('readPartner', () => {
  test('200: the partner as registered, without its secrets', async () => {
    const registered = {
      ip_allow_list: ['203.0.113.0/24', '2001:db8::1'],
      limits: { per_day: 5 },
      sso_url: 'https://hotel.example/in',
    }
    const partner = await service.partner(registered)
    const body = await partner.read()
    expect(body).toMatchObject({
      ...registered,
      limits: { ...NO_LIMITS, per_day: 5 },
      partner_code: partner.code,
      status: 'ACTIVE',
    })
    const { partner_code: _, expires_at: __, ...secrets } = partner.credentials
    for (const secret of Object.values(secrets)) expect(JSON.stringify(body)).not.toContain(secret)
  })
})
