import type { Schemas } from '@tiwala/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { json } from '../harness/body-forms.ts'
import { VALID } from '../harness/calls.ts'
import { errorOf } from '../harness/error-of.ts'
import { refusal, startWorld, type World } from '../harness/world.ts'

let world: World
beforeAll(async () => void (world = await startWorld()))
afterAll(() => world.close())

const NONE: Schemas['PartnerLimits'] = {
  requests_per_minute: null,
  views_per_minute: null,
  tokens_per_minute: null,
  sign_ins_per_minute: null,
  per_day: null,
}
const list = async (query: { q?: string; status?: 'ACTIVE' | 'SUSPENDED'; limit?: number; cursor?: string }) =>
  (await world.operator('listPartners', { query })).body
const codesOf = async (...given: Parameters<typeof list>) => (await list(...given)).partners.map(({ partner_code }) => partner_code)
const read = async (partner_code: string) => (await world.operator('readPartner', { path: { partner_code } })).body
const change = async (partner_code: string, body: Schemas['PartnerChange']) =>
  (await world.operator('changePartner', { path: { partner_code }, body })).body

describe('listPartners', () => {
  test('200: by code, page by page, nothing twice and nothing left out', async () => {
    const name = `Paged ${Math.random()}`
    const made: string[] = []
    for (let index = 0; index < 5; index++)
      made.push((await world.partner({ name, partner_code: `PAGED_${Math.random()}`.replace('.', '') })).code)
    const seen: string[] = []
    let cursor: string | null | undefined
    do {
      const page = await list({ q: name, limit: 2, ...(cursor && { cursor }) })
      seen.push(...page.partners.map(({ partner_code }) => partner_code))
      cursor = page.next_cursor
    } while (cursor)
    expect(seen).toEqual(made.toSorted())
  })

  test('200: those with a text in their code or name, in whatever case and letter for letter; those suspended', async () => {
    const name = `Señor % ${Math.random()}_Hotel`
    const [one, other] = [await world.partner({ name }), await world.partner({ name })]
    await world.operator('suspendPartner', { path: { partner_code: other.code } })
    expect(await codesOf({ q: name.toLocaleUpperCase() })).toEqual([one.code, other.code].toSorted())
    expect(await codesOf({ q: name, status: 'SUSPENDED' })).toEqual([other.code])
    expect(await codesOf({ q: name, status: 'ACTIVE' })).toEqual([one.code])
    expect(await codesOf({ q: one.code.toLowerCase(), limit: 100 })).toContain(one.code)
    expect(await codesOf({ q: name.replace('_', '%') })).toEqual([])
  })

  test('422: a cursor that is none of ours, a status that nobody has', async () => {
    expect((await refusal(list({ cursor: "x' or true" }))).fields).toHaveProperty('cursor')
    expect((await refusal(list({ status: 'GONE' as 'ACTIVE' }))).fields).toHaveProperty('status')
  })
})

describe('readPartner', () => {
  test('200: as it was registered, and nothing that proves it', async () => {
    const registered = { ip_allow_list: ['203.0.113.0/24', '2001:db8::1'], limits: { per_day: 5 }, sso_url: 'https://hotel.example/in' }
    const partner = await world.partner(registered)
    const body = await read(partner.code)
    expect(body).toMatchObject({ ...registered, limits: { ...NONE, per_day: 5 }, partner_code: partner.code, status: 'ACTIVE' })
    const { partner_code: _, expires_at: __, ...secrets } = partner.credentials
    for (const secret of Object.values(secrets)) expect(JSON.stringify(body)).not.toContain(secret)
  })

  test('404: no such partner', async () => {
    expect((await refusal(read('NOBODY'))).code).toBe('not_found')
  })
})

describe('changePartner', () => {
  test('200: what is given is changed, what is absent stays, null clears', async () => {
    const { code } = await world.partner({ sso_url: 'https://hotel.example/in' })
    const before = await read(code)
    expect(before).toMatchObject({ ip_allow_list: [], limits: NONE })
    const first = { name: 'Hotel Mabuhay', ip_allow_list: ['192.0.2.1'], limits: { requests_per_minute: 7, per_day: 9 } }
    expect(await change(code, first)).toEqual({ ...before, ...first, limits: { ...NONE, ...first.limits } })
    const second = { purpose: 'To test.', scopes: [], sso_url: null, ip_allow_list: [], limits: { per_day: null } }
    const expected = { ...before, ...second, name: 'Hotel Mabuhay', limits: { ...NONE, requests_per_minute: 7 } }
    expect(await change(code, second)).toEqual(expected)
    expect(await read(code)).toEqual(expected)
  })

  test('200: in force with the next request', async () => {
    const [partner, citizen] = [await world.partner(), await world.citizen()]
    await change(partner.code, { scopes: ['PROFILE_VIEW'], name: 'Hotel Bagong Pangalan' })
    expect((await refusal(partner.profiles.requestAuthorization(await citizen.showQr()))).code).toBe('scope_not_granted')
    await partner.profiles.profileByQr(await citizen.showQr('share'))
    const { body } = await citizen.app('listDisclosures', {})
    expect(body.disclosures[0]!.partner.name).toBe('Hotel Bagong Pangalan')
  })

  test('404: no such partner', async () => {
    expect((await refusal(change('NOBODY', { name: 'Nobody' }))).code).toBe('not_found')
  })

  test.each([
    ['body', {}],
    ['callback_url', { callback_url: null }],
    ['sso_url', { sso_url: 'http://hotel.example/in' }],
    ['limits.per_day', { limits: { per_day: 0 } }],
    ['limits.per_hour', { limits: { per_hour: 1 } }],
    ['ip_allow_list', { ip_allow_list: Array.from({ length: 101 }, (_, index) => `192.0.2.${index}`) }],
    ['scopes.0', { scopes: ['EVERYTHING'] }],
  ])('422: %s is named, and nothing is changed', async (field, body) => {
    const { code } = await world.partner()
    const before = await read(code)
    const changed = field === 'body' ? body : { name: 'Changed', ...body }
    expect((await refusal(change(code, changed as Schemas['PartnerChange']))).fields).toHaveProperty([field])
    expect(await read(code)).toEqual(before)
  })
})

describe.each([
  ['listPartners', 'partners:read'],
  ['readPartner', 'partners:read'],
  ['changePartner', 'partners:write'],
  ['createPartner', 'partners:write credentials:write'],
  ['listCredentials', 'partners:read'],
  ['rotateCredential', 'credentials:write'],
  ['revokeCredential', 'credentials:write'],
  ['rotateWebhookSecret', 'credentials:write'],
  ['findAuthorizations', 'authorizations:read'],
] as const)('%s', (id, needed) => {
  test('403: an operator with every other scope; 2xx: with these alone', async () => {
    const others = [
      'partners:read',
      'partners:write',
      'credentials:write',
      'authorizations:read',
      'citizens:write',
      'disputes:read',
    ].filter((scope) => !needed.split(' ').includes(scope))
    const operatorToken = await world.tokens.operator(others.join(' '))
    const { headers, fields, ...call } = await VALID[id]({ ...world, partner: await world.partner(), citizen: await world.citizen() })
    const init = fields ? json(fields) : { headers: {} }
    const answer = (token: string) =>
      world.send(id, { ...call, ...init, headers: { ...headers, ...init.headers, Authorization: `Bearer ${token}` } })
    expect(await errorOf(await answer(operatorToken))).toMatchObject({
      status: 403,
      error: 'scope_not_granted',
      message: expect.stringContaining(needed.split(' ')[0]!),
    })
    expect((await answer(await world.tokens.operator(needed))).status).toBeLessThan(300)
  })
})

describe('what the citizen reads of a partner', () => {
  const MISLEADING = {
    'a control character': 'Hotel\u0007 Mabuhay',
    'a line feed': 'Hotel\nMabuhay',
    delete: 'Hotel\u007f',
    'a C1 control': 'Hotel \u009b31m',
    'a bidirectional override': 'Hotel \u202eyauhbaM',
    'a bidirectional isolate': 'Hotel \u2067Mabuhay\u2069',
    'a direction mark': 'Hotel\u200f Mabuhay',
    'an Arabic letter mark': 'Hotel\u061c Mabuhay',
    'a zero width space': 'Ho\u200btel',
    'a word joiner': 'Ho\u2060tel',
    'a byte order mark': '\ufeffHotel',
    'a line separator': 'Hotel\u2028Mabuhay',
    'a paragraph separator': 'Hotel\u2029Mabuhay',
    'a tag': 'Hotel\u{e0041}',
    'an invisible letter': 'Hotel\u3164',
    'a blank pattern': '\u2800',
    'half a surrogate pair': 'Hotel \ud83c',
    'a space in front': ' Hotel',
    'a space at the end': 'Hotel ',
    'a no-break space at the end': 'Hotel\u00a0',
    'spaces only': '   ',
    nothing: '',
  }

  test.each(Object.entries(MISLEADING))('422: %s is refused in name and purpose, at creation and change', async (_what, text) => {
    for (const field of ['name', 'purpose']) {
      const { fields } = await refusal(world.partner({ [field]: text }))
      expect(fields[field]).toContain('must hold no control or invisible characters, and no space at either end')
      expect((await refusal(change('NOBODY', { [field]: text }))).fields).toHaveProperty([field])
    }
  })

  test('201: any script, punctuation and symbols are allowed', async () => {
    for (const name of ["Niño & Sons' Hotel, Inc. (Cebú)", 'فندق مبوحاي', '마부하이 호텔', 'マブハイ ホテル', 'होटल', 'Hotel 🏨', 'H', '7'])
      expect((await read((await world.partner({ name, purpose: name })).code)).name).toBe(name)
  })
})
