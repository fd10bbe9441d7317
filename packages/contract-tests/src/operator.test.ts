import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal, startWorld, type World } from './harness/world.ts'

let world: World
beforeAll(async () => void (world = await startWorld()))
afterAll(() => world.close())

const REGISTRATION = { name: 'Hotel Mabuhay', purpose: 'To register you as a guest.', scopes: [] }
const citizenToken = async () => `Bearer ${await world.tokens.citizen('NOBODY')}`

/** A caller whom the administrators' provider knows, but who may nothing. */
const unscopedHeaders = async () => ({ Authorization: `Bearer ${await world.tokens.operator('')}`, 'Content-Type': 'application/json' })

describe('createPartner', () => {
  test('201: credentials that work at once, and secrets that are stored nowhere', async () => {
    const partner = await world.partner()
    const dump = await world.dumpDatabase()
    expect(dump).toContain(partner.credentials.secret_code)
    expect(dump).not.toContain(partner.credentials.secret_token)
    expect(dump).not.toContain(partner.credentials.partner_secret)
    expect((await refusal(partner.profiles.inquire('unknown'))).code).toBe('tracking_no_not_found')
  })

  test('422: a partner code that is taken', async () => {
    const partner = await world.partner()
    const { code, fields } = await refusal(world.operator('createPartner', { body: { ...REGISTRATION, partner_code: partner.code } }))
    expect([code, fields]).toEqual(['validation_failed', { partner_code: ['is taken'] }])
  })

  test.each([
    ['callback_url', 'http://hotel.example/callback'],
    ['callback_url', 'https://user:password@hotel.example/callback'],
    ['sso_url', 'javascript:alert(1)'],
    ['sso_url', 'not a url'],
    ['scopes', ['EVERYTHING']],
    ['name', ''],
    ['partner_code', 'lower-case'],
  ])('422: %s %s is named', async (field, value) => {
    const body = { ...REGISTRATION, partner_code: 'SOMEBODY', [field]: value }
    const { fields } = await refusal(world.operator('createPartner', { body }))
    expect(Object.keys(fields).map((name) => name.split('.')[0])).toEqual([field])
  })

  test('403: an administrator without the scope', async () => {
    const response = await world.send('createPartner', {
      headers: await unscopedHeaders(),
      body: JSON.stringify({ ...REGISTRATION, partner_code: 'SOMEBODY' }),
    })
    expect([response.status, await response.json()]).toEqual([403, expect.objectContaining({ error: 'scope_not_granted' })])
  })

  test("401: a citizen's token", async () => {
    const headers = { Authorization: await citizenToken(), 'Content-Type': 'application/json' }
    const response = await world.send('createPartner', { headers, body: JSON.stringify({ ...REGISTRATION, partner_code: 'SOMEBODY' }) })
    expect([response.status, await response.json()]).toEqual([401, expect.objectContaining({ error: 'token_invalid' })])
  })
})

describe.each(['suspendPartner', 'resumePartner'] as const)('%s', (id) => {
  test('200: every request of a suspended partner is refused, until it is resumed', async () => {
    const [partner, citizen] = [await world.partner(), await world.citizen()]
    const path = { partner_code: partner.code }
    expect((await world.operator('suspendPartner', { path })).body.status).toBe('SUSPENDED')
    expect((await refusal(partner.profiles.inquire('unknown'))).code).toBe('partner_suspended')
    const exchange = refusal(partner.sso.generateToken(`twx_${'0'.repeat(49)}`))
    expect((await exchange).code).toBe('partner_suspended')
    expect((await world.operator('resumePartner', { path })).body.status).toBe('ACTIVE')
    expect((await partner.profiles.requestAuthorization(await citizen.showQr())).state).toBe('PENDING')
  })

  test('404: no such partner', async () => {
    expect((await refusal(world.operator(id, { path: { partner_code: 'NOBODY' } }))).code).toBe('not_found')
  })

  test('403: an administrator without the scope changes nothing', async () => {
    const partner = await world.partner()
    const response = await world.send(id, { headers: await unscopedHeaders(), path: { partner_code: partner.code } })
    expect(response.status).toBe(403)
    expect((await refusal(partner.profiles.inquire('unknown'))).code).toBe('tracking_no_not_found')
  })
})

describe('upsertCitizen', () => {
  test('200: written anew, and the next profile shows it', async () => {
    const [partner, citizen] = [await world.partner(), await world.citizen()]
    const profile = { ...citizen.profile, last_name: 'Peñaflor' }
    const { body } = await world.operator('upsertCitizen', { path: { uniqid: citizen.uniqid }, body: { profile, passport: null } })
    expect(body).toEqual({ uniqid: citizen.uniqid, created: false })
    expect((await partner.profiles.profileByQr(await citizen.showQr('share'))).record.response.last_name).toBe('Peñaflor')
  })

  test('422: each field at fault is named, and nothing is written', async () => {
    const [partner, citizen] = [await world.partner(), await world.citizen()]
    const profile = { ...citizen.profile, birth_date: '17/04/1990', gender: 'Female', mobile: '0917', postal: 'X' }
    const { fields } = await refusal(
      world.operator('upsertCitizen', { path: { uniqid: citizen.uniqid }, body: { profile, passport: null } }),
    )
    expect(Object.keys(fields).toSorted()).toEqual(['profile.birth_date', 'profile.gender', 'profile.mobile', 'profile.postal'])
    expect((await partner.profiles.profileByQr(await citizen.showQr('share'))).record.response.mobile).toBe(citizen.profile.mobile)
  })

  test('422: another uniqid in the body than in the path', async () => {
    const { profile } = await world.citizen()
    const { fields } = await refusal(world.operator('upsertCitizen', { path: { uniqid: 'ANOTHER' }, body: { profile, passport: null } }))
    expect(fields).toHaveProperty(['profile.uniqid'])
  })

  test('403: an administrator without the scope', async () => {
    const { uniqid, profile } = await world.citizen()
    const response = await world.send('upsertCitizen', {
      headers: await unscopedHeaders(),
      path: { uniqid },
      body: JSON.stringify({ profile, passport: null }),
    })
    expect([response.status, await response.json()]).toEqual([403, expect.objectContaining({ error: 'scope_not_granted' })])
  })
})
