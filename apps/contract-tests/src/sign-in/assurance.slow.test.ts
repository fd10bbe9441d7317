// How the citizen was authenticated, from the token of the citizen app to the ID token, and the values of `prompt`.
import { setTimeout as pause } from 'node:timers/promises'
import { basePathOf } from '@tiwala/kit/operations'
import { citizenApp } from '@tiwala/kit/users'
import { sql } from 'kysely'
import * as openid from 'openid-client'
import { expect, test } from 'vitest'
import { createBrowser } from '../kit/browser.ts'
import { approve, arrive, registration, relyingParty } from '../kit/relying-party.ts'
import { refusal, startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile({})

const nowSeconds = () => Math.floor(Date.now() / 1000)

/** The app of the citizen after another authentication. */
async function authenticatedAs({ uniqid }: { uniqid: string }, claims: Record<string, unknown>) {
  const token = await service.tokens.citizen(uniqid, '1h', claims)
  return citizenApp(service.url + basePathOf('citizen-app'), token)
}

test('acr, amr and auth_time of the ID token are those of the token that approved', async () => {
  const changes = registration()
  changes.purposes[0]!.minimum_acr = 'substantial'
  const [party, citizen] = [await relyingParty(service, { changes }), await service.citizen()]
  const auth_time = nowSeconds() - 40
  // As many methods as may be, and one as long as it may be.
  const amr = ['x'.repeat(50), ...Array.from({ length: 9 }, (_, index) => `method ${index}`)]
  const app = await authenticatedAs(citizen, { acr: 'high', amr, auth_time })
  const { url, checks } = await party.begin({ acr_values: 'high', max_age: '60' })
  const visit = await arrive(service.url, url)
  await approve({ ...citizen, ...app }, await visit.scan())
  const tokens = await openid.authorizationCodeGrant(party.config, await visit.goOn(), {
    ...checks,
    maxAge: 60,
  })
  expect(tokens.claims()).toMatchObject({ acr: 'high', amr, auth_time })
})

test.each([
  ['a text', 'pin'],
  ['numbers', [1, 2]],
  ['too many methods', Array.from({ length: 11 }, () => 'pin')],
  ['a method that is too long', ['x'.repeat(51)]],
  ['a method that the database cannot store', ['pin\0']],
])('an amr that is %s is left out', async (_what, amr) => {
  const [party, citizen] = [await relyingParty(service), await service.citizen()]
  const { url, checks } = await party.begin()
  const visit = await arrive(service.url, url)
  await approve({ ...citizen, ...(await authenticatedAs(citizen, { amr })) }, await visit.scan())
  const tokens = await openid.authorizationCodeGrant(party.config, await visit.goOn(), checks)
  expect(tokens.claims()).not.toHaveProperty('amr')
})

test('403, 200: an auth_time or an acr that is not usable counts as absent', async () => {
  const [party, citizen] = [await relyingParty(service), await service.citizen()]
  const unusable = { acr: 'high\0', auth_time: 1e300 }
  const app = { ...citizen, ...(await authenticatedAs(citizen, unusable)) }
  const recent = await arrive(service.url, (await party.begin({ max_age: '3600' })).url)
  expect((await refusal(approve(app, await recent.scan()))).code).toBe('assurance_too_low')
  const { url, checks } = await party.begin()
  const visit = await arrive(service.url, url)
  await approve(app, await visit.scan())
  const tokens = await openid.authorizationCodeGrant(party.config, await visit.goOn(), checks)
  expect(tokens.claims()!['auth_time']).toBeGreaterThan(nowSeconds() - 60)
  expect(tokens.claims()).not.toHaveProperty('acr')
})

test.each([{ max_age: '0' }, { prompt: 'login' }, { prompt: 'login consent', max_age: '3600' }])(
  '403 assurance_too_low: %o needs an authentication after the request',
  async (parameters) => {
    const [party, citizen] = [await relyingParty(service), await service.citizen()]
    const { url, checks } = await party.begin(parameters)
    const requestedAt = nowSeconds()
    const visit = await arrive(service.url, url)
    expect((await refusal(approve(citizen, await visit.scan()))).code).toBe('assurance_too_low')
    await pause(1_100)
    const app = await authenticatedAs(citizen, { auth_time: nowSeconds() })
    await approve({ ...citizen, ...app }, await visit.scan())
    const tokens = await openid.authorizationCodeGrant(party.config, await visit.goOn(), checks)
    expect(tokens.claims()!['auth_time']).toBeGreaterThanOrEqual(requestedAt)
  },
)

test.each([{ max_age: '3600' }, { prompt: 'login' }])(
  '403 assurance_too_low: %o needs a token that says when the citizen was authenticated',
  async (parameters) => {
    const [party, citizen] = [await relyingParty(service), await service.citizen()]
    const visit = await arrive(service.url, (await party.begin(parameters)).url)
    await pause(1_100)
    // As after a silent refresh: the token is new, and the authentication may be old.
    const app = { ...citizen, ...(await authenticatedAs(citizen, { auth_time: undefined })) }
    expect((await refusal(approve(app, await visit.scan()))).code).toBe('assurance_too_low')
    const other = await arrive(service.url, (await party.begin()).url)
    expect((await approve(app, await other.scan())).state).toBe('APPROVED')
  },
)

test('prompt=consent: the citizen approves as always, also the second time in a browser', async () => {
  const [party, citizen] = [await relyingParty(service), await service.citizen()]
  const browser = createBrowser(service.url)
  for (const _ of [1, 2]) {
    const { url, checks } = await party.begin({ prompt: 'consent' })
    const visit = await arrive(service.url, url, browser)
    await approve(citizen, await visit.scan())
    const tokens = await openid.authorizationCodeGrant(party.config, await visit.goOn(), checks)
    expect(tokens.claims()!.sub).toBeTruthy()
  }
})

test.each([
  ['none', 'login_required'],
  ['none login', 'invalid_request'],
  ['select_account', 'invalid_request'],
])('prompt=%s is %s, also after a sign-in in this browser', async (prompt, error) => {
  const [party, citizen] = [await relyingParty(service), await service.citizen()]
  const browser = createBrowser(service.url)
  const visit = await arrive(service.url, (await party.begin()).url, browser)
  await approve(citizen, await visit.scan())
  await visit.goOn()
  const { url } = await browser.open((await party.begin({ prompt })).url)
  expect(url.searchParams.get('error')).toBe(error)
})

const idToken = (acr: object) => ({ claims: JSON.stringify({ id_token: { acr } }) })

test.each([
  { acr_values: 'high' },
  idToken({ value: 'high' }),
  idToken({ values: ['high'] }),
  // What is essential is not weakened by a wish.
  { acr_values: 'low', ...idToken({ essential: true, value: 'high' }) },
])('403 assurance_too_low: %o needs a sign-in at this level', async (parameters) => {
  const [party, citizen] = [await relyingParty(service), await service.citizen()]
  const { url } = await party.begin(parameters)
  const visit = await arrive(service.url, url)
  const weaker = await authenticatedAs(citizen, { acr: 'low' })
  const attempt = approve({ ...citizen, ...weaker }, await visit.scan())
  expect((await refusal(attempt)).code).toBe('assurance_too_low')
  const app = await authenticatedAs(citizen, { acr: 'high' })
  await approve({ ...citizen, ...app }, await visit.scan())
  expect(await visit.state()).toMatchObject({ next: 'continue' })
})

test.each([{ value: 'unknown' }, { values: ['unknown'] }, { value: 5 }])(
  'unmet_authentication_requirements: the essential acr %o is not known, beside one that is',
  async (acr) => {
    const { begin } = await relyingParty(service)
    const { url } = await begin({ acr_values: 'low', ...idToken({ essential: true, ...acr }) })
    const { searchParams } = (await createBrowser(service.url).open(url)).url
    expect(searchParams.get('error')).toBe('unmet_authentication_requirements')
  },
)

test.each([{ essential: true }, { essential: true, values: [] }, { value: 'unknown' }])(
  'the acr %o demands no level',
  async (acr) => {
    const [{ begin }, citizen] = [await relyingParty(service), await service.citizen()]
    const visit = await arrive(service.url, (await begin(idToken(acr))).url)
    expect((await approve(citizen, await visit.scan())).state).toBe('APPROVED')
  },
)

test.each([
  { id_token: { acr: { values: 5 } } },
  { id_token: { acr: 'high' } },
  { id_token: { sub: 'x' } },
  { id_token: { sub: ['x'] } },
  { userinfo: { email: true } },
])('invalid_request: the claims %j', async (claims) => {
  const { begin } = await relyingParty(service)
  const { url } = await begin({ claims: JSON.stringify(claims) })
  const { searchParams } = (await createBrowser(service.url).open(url)).url
  expect(searchParams.get('error')).toBe('invalid_request')
})

test('the age of an authentication counts when the partner asks, so that the citizen may take time to read', async () => {
  const [party, citizen] = [await relyingParty(service), await service.citizen()]
  const { now } = (await sql<{ now: Date }>`select clock_now() as now`.execute(service.db)).rows[0]!
  const app = await authenticatedAs(citizen, { auth_time: Math.floor(now.getTime() / 1_000) - 40 })
  const visit = await arrive(service.url, (await party.begin({ max_age: '60' })).url)
  await service.advance(30)
  await approve({ ...citizen, ...app }, await visit.scan())
  expect(await visit.state()).toMatchObject({ next: 'continue' })
})
