import { describe, expect, test } from 'vitest'
import { json } from '../kit/body-forms.ts'
import { errorBody } from '../kit/error-body.ts'
import { refusal, startServiceForFile } from '../kit/test-service.ts'
import type { Citizen } from '../kit/users.ts'

const service = await startServiceForFile()

const NOTHING = { frozen: false, blocked_partners: [] }

const read = async ({ app }: Citizen) => (await app('readPreferences', {})).body

describe('replacePreferences', () => {
  test('200: the new preferences, partners in order; each request replaces all preferences', async () => {
    const [citizen, other] = [await service.citizen(), await service.citizen()]
    const codes = [
      (await service.partner()).code,
      (await service.partner()).code,
      (await service.partner({ partner_code: 'A_HOTEL' })).code,
    ]
    const both = { frozen: true, blocked_partners: codes.toSorted() }
    expect(await citizen.setPreferences({ frozen: true, blocked_partners: codes })).toEqual(both)
    expect([await read(citizen), await read(other)]).toEqual([both, NOTHING])
    const fewer = { frozen: false, blocked_partners: [codes[1]!] }
    expect([await citizen.setPreferences(fewer), await read(citizen)]).toEqual([fewer, fewer])
    expect([await citizen.setPreferences(NOTHING), await read(citizen)]).toEqual([NOTHING, NOTHING])
  })

  test('200: an update of the citizen by the registry keeps the preferences', async () => {
    const [citizen, { code }] = [await service.citizen(), await service.partner()]
    const both = { frozen: true, blocked_partners: [code] }
    await citizen.setPreferences(both)
    const { uniqid, profile } = citizen
    await service.operator('upsertCitizen', {
      path: { uniqid },
      body: { profile: { ...profile, last_name: 'Newman' }, passport: null },
    })
    expect(await read(citizen)).toEqual(both)
  })

  test('200: a suspended partner can be blocked', async () => {
    const [citizen, { code }] = [await service.citizen(), await service.partner()]
    await service.operator('suspendPartner', { path: { partner_code: code } })
    expect(
      (await citizen.setPreferences({ frozen: false, blocked_partners: [code] })).blocked_partners,
    ).toEqual([code])
  })

  test('422: the error names each unknown partner code, and nothing is replaced', async () => {
    const [citizen, { code }] = [await service.citizen(), await service.partner()]
    const before = await citizen.setPreferences({ frozen: false, blocked_partners: [code] })
    const { code: refused, fields } = await refusal(
      citizen.setPreferences({ frozen: true, blocked_partners: ['UNKNOWN', code, 'UNKNOWN_OTHER'] }),
    )
    expect([refused, fields]).toEqual([
      'validation_failed',
      { 'blocked_partners.0': ['is not a partner'], 'blocked_partners.2': ['is not a partner'] },
    ])
    expect(await read(citizen)).toEqual(before)
  })

  test.each<[field: string, body: object]>([
    ['frozen', { blocked_partners: [] }],
    ['frozen', { ...NOTHING, frozen: 'yes' }],
    ['blocked_partners', { frozen: true }],
    ['blocked_partners', { ...NOTHING, blocked_partners: ['TWICE', 'TWICE'] }],
    ['blocked_partners.1', { ...NOTHING, blocked_partners: ['FINE', 'not a code'] }],
    ['more', { ...NOTHING, more: 1 }],
  ])('422: the error names %s for the body %j', async (field, body) => {
    const citizen = await service.citizen()
    const { body: text, headers } = json(body)
    const response = await service.send('replacePreferences', {
      headers: { ...headers, Authorization: `Bearer ${citizen.token}` },
      body: text,
    })
    const { error, errors } = await errorBody(response)
    expect([response.status, error, Object.keys(errors!)]).toEqual([422, 'validation_failed', [field]])
    expect(await read(citizen)).toEqual(NOTHING)
  })
})

describe('a citizen that blocks one partner', () => {
  test('200: the other partners still receive profiles', async () => {
    const [blocked, partner, citizen] = [
      await service.partner(),
      await service.partner(),
      await service.citizen(),
    ]
    await citizen.setPreferences({ frozen: false, blocked_partners: [blocked.code] })
    const { uniqid } = citizen
    expect((await partner.profiles.profileByQr(await citizen.showQr('share'))).record.response.uniqid).toBe(
      uniqid,
    )
    const { tracking_no } = (await partner.profiles.requestAuthorization(await citizen.showQr())).record
    await citizen.accept(tracking_no)
    expect((await partner.profiles.inquire(tracking_no)).record.response?.uniqid).toBe(uniqid)
    expect((await partner.sso.signIn(await citizen.exchangeCode(partner.code))).uniqid).toBe(uniqid)
  })
})
