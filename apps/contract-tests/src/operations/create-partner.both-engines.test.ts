import { describe, expect, test } from 'vitest'
import { refusal, startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile()

const REGISTRATION = { name: 'Hotel Mabuhay', purpose: 'To register you as a guest.', scopes: [] }

describe('createPartner', () => {
  test('201: the credentials work at once, and the secrets are not stored in clear', async () => {
    const partner = await service.partner()
    const dump = await service.dumpDatabase()
    expect(dump).toContain(partner.credentials.secret_code)
    expect(dump).not.toContain(partner.credentials.secret_token)
    expect(dump).not.toContain(partner.credentials.partner_secret)
    expect((await refusal(partner.profiles.inquire('unknown'))).code).toBe('tracking_no_not_found')
  })

  test('409: a partner code that is taken', async () => {
    const partner = await service.partner()
    const { code, fields } = await refusal(
      service.operator('createPartner', { body: { ...REGISTRATION, partner_code: partner.code } }),
    )
    expect([code, fields]).toEqual(['partner_code_taken', { partner_code: ['is taken'] }])
  })

  test.each([
    ['callback_url', 'http://hotel.example/callback'],
    ['callback_url', 'https://user:password@hotel.example/callback'],
    ['sso_url', 'javascript:alert(1)'],
    ['sso_url', 'not a url'],
    ['scopes', ['EVERYTHING']],
    ['name', ''],
    ['partner_code', 'lower-case'],
  ])('422: the error names %s for the value %s', async (field, value) => {
    const body = { ...REGISTRATION, partner_code: 'ANOTHER', [field]: value }
    const { fields } = await refusal(service.operator('createPartner', { body }))
    expect(Object.keys(fields).map((name) => name.split('.')[0])).toEqual([field])
  })
})
