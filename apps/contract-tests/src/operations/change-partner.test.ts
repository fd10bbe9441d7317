import type { Schemas } from '@tiwala/contract'
import { describe, expect, test } from 'vitest'
import { NO_LIMITS, refusal, startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile()

describe('changePartner', () => {
  test('200: given fields are changed, absent fields are kept, null clears a field', async () => {
    const partner = await service.partner({ sso_url: 'https://hotel.example/in' })
    const before = await partner.read()
    expect(before).toMatchObject({ ip_allow_list: [], limits: NO_LIMITS })
    const first = {
      name: 'Hotel of the changed partner',
      ip_allow_list: ['192.0.2.1'],
      limits: { requests_per_minute: 7, per_day: 9 },
    }
    expect(await partner.change(first)).toEqual({
      ...before,
      ...first,
      limits: { ...NO_LIMITS, ...first.limits },
    })
    const second = {
      purpose: 'To test.',
      scopes: [],
      sso_url: null,
      ip_allow_list: [],
      limits: { per_day: null },
    }
    const expected = {
      ...before,
      ...second,
      name: 'Hotel of the changed partner',
      limits: { ...NO_LIMITS, requests_per_minute: 7 },
    }
    expect(await partner.change(second)).toEqual(expected)
    expect(await partner.read()).toEqual(expected)
  })

  test('200: a body with the media type of JSON Merge Patch', async () => {
    const partner = await service.partner()
    const response = await service.send('changePartner', {
      path: { partner_code: partner.code },
      headers: {
        Authorization: `Bearer ${service.operatorToken}`,
        'Content-Type': 'application/merge-patch+json; charset=utf-8',
      },
      body: JSON.stringify({ name: 'Hotel Mabuhay' }),
    })
    expect([response.status, await response.json()]).toEqual([
      200,
      expect.objectContaining({ name: 'Hotel Mabuhay' }),
    ])
  })

  test('200: the change applies to the next request', async () => {
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    await partner.change({ scopes: ['PROFILE_VIEW'], name: 'Hotel Bagong Pangalan' })
    expect((await refusal(partner.profiles.requestAuthorization(await citizen.showQr()))).code).toBe(
      'scope_not_granted',
    )
    await partner.profiles.profileByQr(await citizen.showQr('share'))
    expect((await citizen.disclosures())[0]!.partner.name).toBe('Hotel Bagong Pangalan')
  })

  test.each([
    ['body', {}],
    ['callback_url', { callback_url: null }],
    ['sso_url', { sso_url: 'http://hotel.example/in' }],
    ['limits.per_day', { limits: { per_day: 0 } }],
    ['limits.per_hour', { limits: { per_hour: 1 } }],
    ['ip_allow_list', { ip_allow_list: Array.from({ length: 101 }, (_, index) => `192.0.2.${index}`) }],
    ['scopes.0', { scopes: ['EVERYTHING'] }],
  ])('422: the error names %s, and nothing is changed', async (field, body) => {
    const partner = await service.partner()
    const before = await partner.read()
    const changed = field === 'body' ? body : { name: 'Changed', ...body }
    expect((await refusal(partner.change(changed as Schemas['PartnerChange']))).fields).toHaveProperty([
      field,
    ])
    expect(await partner.read()).toEqual(before)
  })
})
