import type { Schemas } from '@tiwala/contract'
import { describe, expect, test } from 'vitest'
import { NO_LIMITS, refusal, startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile()

const read = async (partner_code: string) =>
  (await service.operator('readPartner', { path: { partner_code } })).body
const change = async (partner_code: string, body: Schemas['PartnerChange']) =>
  (await service.operator('changePartner', { path: { partner_code }, body })).body

describe('changePartner', () => {
  test('200: given fields are changed, absent fields are kept, null clears a field', async () => {
    const { code } = await service.partner({ sso_url: 'https://hotel.example/in' })
    const before = await read(code)
    expect(before).toMatchObject({ ip_allow_list: [], limits: NO_LIMITS })
    const first = {
      name: 'Hotel Mabuhay',
      ip_allow_list: ['192.0.2.1'],
      limits: { requests_per_minute: 7, per_day: 9 },
    }
    expect(await change(code, first)).toEqual({
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
      name: 'Hotel Mabuhay',
      limits: { ...NO_LIMITS, requests_per_minute: 7 },
    }
    expect(await change(code, second)).toEqual(expected)
    expect(await read(code)).toEqual(expected)
  })

  test('200: the change applies to the next request', async () => {
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    await change(partner.code, { scopes: ['PROFILE_VIEW'], name: 'Hotel Bagong Pangalan' })
    expect((await refusal(partner.profiles.requestAuthorization(await citizen.showQr()))).code).toBe(
      'scope_not_granted',
    )
    await partner.profiles.profileByQr(await citizen.showQr('share'))
    const { body } = await citizen.app('listDisclosures', {})
    expect(body.disclosures[0]!.partner.name).toBe('Hotel Bagong Pangalan')
  })

  test('404: an unknown partner', async () => {
    expect((await refusal(change('UNKNOWN', { name: 'Unknown' }))).code).toBe('not_found')
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
    const { code } = await service.partner()
    const before = await read(code)
    const changed = field === 'body' ? body : { name: 'Changed', ...body }
    expect((await refusal(change(code, changed as Schemas['PartnerChange']))).fields).toHaveProperty([field])
    expect(await read(code)).toEqual(before)
  })
})
