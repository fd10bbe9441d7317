// Sign-in to the workbench at an identity provider of its own, over HTTP: what it must say of a person, and what happens
// when it says something else.
import { expect, onTestFinished, test } from 'vitest'
import { createBrowser } from '../kit/browser.ts'
import { type Claims, signInOnce, startProvider } from '../kit/identity-provider.ts'
import { callWorkbench } from '../kit/member.ts'
import { startServiceForFile, startTestService } from '../kit/test-service.ts'

/** A service with this provider, a partner that has invited the address, and a browser that has signed in. */
async function signInAt(issuer: string, settings: Record<string, string> = {}) {
  const service = await startTestService({ TIWALA_STAFF_ISSUER: issuer, ...settings })
  onTestFinished(() => service.close())
  const { code } = await service.partner()
  await service.operator('invitePartnerMember', {
    path: { partner_code: code },
    body: { email: 'ana@hotel.example', role: 'admin' },
  })
  return { service, code, response: await signInOnce(service.url, '/workbench') }
}

test.each([
  [undefined, /^Basic /, /^(?!.*client_secret)/],
  [['client_secret_basic'], /^Basic /, /^(?!.*client_secret)/],
  [['client_secret_basic', 'client_secret_post'], /^undefined$/, /client_secret=secret/],
])(
  '303: a verified address finds its invitation, with PKCE and the secret of the client: %j',
  async (methods, header, form) => {
    const { issuer, requests } = await startProvider(
      { email: 'Ana@hotel.example', email_verified: true },
      { authenticationMethods: methods! },
    )
    const { response, service, code } = await signInAt(issuer, { TIWALA_STAFF_CLIENT_SECRET: 'secret' })
    expect([response.status, response.headers.get('location')]).toEqual([303, '/workbench/'])
    expect(requests[0]!.body).toMatch(/code_verifier=[\w-]{43,}/)
    expect(String(requests[0]!.authorization)).toMatch(header)
    expect(requests[0]!.body).toMatch(form)
    const { body } = await service.operator('listPartnerMembers', { path: { partner_code: code } })
    expect(body.members).toMatchObject([{ email: 'ana@hotel.example', status: 'ACTIVE' }])
  },
)

test.each([
  [
    'an address that is not verified',
    { email: 'ana@hotel.example', email_verified: false },
    'Verify it there',
  ],
  ['an address without a word on it', { email: 'ana@hotel.example' }, 'not verified'],
  ['no address', {}, 'does not send your email address (email). Its administrator'],
  [
    'an address that the database cannot store',
    { email: 'ana@hotel.example\0', email_verified: true },
    'invite you',
  ],
  ['another address', { email: 'other@hotel.example', email_verified: true }, 'invite you'],
])('403: %s', async (_what, claims, text) => {
  const { response } = await signInAt((await startProvider(claims)).issuer)
  expect([response.status, await response.text()]).toEqual([403, expect.stringContaining(text)])
  expect(response.headers.getSetCookie().join()).not.toMatch(/tiwala-workbench=\w/)
})

test('403: another person with the address of a member; 303: the member with another address', async () => {
  const person: Claims = { sub: 'person-1', email: 'ana@hotel.example', email_verified: true }
  const { service, response } = await signInAt((await startProvider(person)).issuer)
  person['sub'] = 'person-2'
  const other = await signInOnce(service.url, '/workbench')
  Object.assign(person, { sub: 'person-1', email: 'new@hotel.example' })
  const again = await signInOnce(service.url, '/workbench')
  expect([response.status, other.status, again.status]).toEqual([303, 403, 303])
})

test('303: a person of several partners gets the last one, and chooses among those that did not remove the person', async () => {
  const email = 'ana@hotel.example'
  const { service, code } = await signInAt((await startProvider({ email, email_verified: true })).issuer)
  const invite = async () => {
    const path = { partner_code: (await service.partner()).code }
    const { body } = await service.operator('invitePartnerMember', { path, body: { email, role: 'viewer' } })
    return { code: path.partner_code, path: { member_id: body.member_id } }
  }
  const [invited, removed] = [await invite(), await invite()]
  const { headers } = await service.signIn(removed.code)
  await callWorkbench(service.url, headers)('removeMember', { path: removed.path })
  const response = await signInOnce(service.url, '/workbench')
  const cookie = response.headers.getSetCookie().find((line) => line.startsWith('tiwala-workbench='))!
  const { body } = await callWorkbench(service.url, { Cookie: cookie.split(';')[0]! })('readSession')
  expect([body.partner_code, body.partners.map(({ partner_code }) => partner_code).toSorted()]).toEqual([
    code,
    [code, invited.code].toSorted(),
  ])
})

test('400: a subject with an invisible character', async () => {
  const person = { sub: 'person\u200b', email: 'ana@hotel.example', email_verified: true }
  const { response } = await signInAt((await startProvider(person)).issuer)
  expect(response.status).toBe(400)
})

test.each([
  ['another claim that the operator names counts as verified', 'upn', { upn: 'ana@hotel.example' }],
  ['a list with one address', 'emails', { emails: ['ana@hotel.example'] }],
  ['an address is verified by a text', 'email', { email: 'ana@hotel.example', email_verified: 'true' }],
])('303: %s', async (_what, claim, claims) => {
  const { response } = await signInAt((await startProvider(claims)).issuer, {
    TIWALA_STAFF_EMAIL_CLAIM: claim,
  })
  expect(response.status).toBe(303)
})

test('303: the clock of the provider is ahead, so that its ID token is not valid before 10 seconds', async () => {
  const nbf = Math.floor(Date.now() / 1_000) + 10
  const { issuer } = await startProvider({ email: 'ana@hotel.example', email_verified: true, nbf })
  const { response } = await signInAt(issuer)
  expect(response.status).toBe(303)
})

test.each([
  ['a nonce of another sign-in', { nonce: 'other' }, {}],
  ['the signature of another key', {}, { signWith: 'other' as const }],
])('400: %s', async (_what, claims, options) => {
  const person = { email: 'ana@hotel.example', email_verified: true, ...claims }
  const { response } = await signInAt((await startProvider(person, options)).issuer)
  expect([response.status, await response.text()]).toEqual([
    400,
    expect.stringContaining('did not sign you in'),
  ])
})

test('303: the provider has several keys without a kid', async () => {
  const person = { email: 'ana@hotel.example', email_verified: true }
  const { response } = await signInAt((await startProvider(person, { hasNoKid: true })).issuer)
  expect(response.status).toBe(303)
})

test('400: an error of the provider is named, and its description, which may name a person, is not', async () => {
  const { response } = await signInAt((await startProvider({}, { error: 'invalid_scope' })).issuer)
  const text = await response.text()
  expect([response.status, text]).toEqual([
    400,
    expect.stringContaining('did not sign you in (invalid_scope). Begin again.'),
  ])
  expect(text).not.toContain('of ana')
})

test('503: the provider cannot be reached', async () => {
  const { response } = await signInAt('http://127.0.0.1:9')
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
})

test('303: the first browser after the provider was down', async () => {
  const options = { isDown: true }
  const { issuer } = await startProvider({ email: 'ana@hotel.example', email_verified: true }, options)
  const { service, response } = await signInAt(issuer)
  options.isDown = false
  const again = await signInOnce(service.url, '/workbench')
  expect([response.status, again.status]).toEqual([503, 303])
})

/** A browser that sends the callback of one sign-in, with a code of its own, as often as it wants. */
async function repeatedCallback(url: string) {
  const begin = await createBrowser(url).request(`${url}/workbench/sign-in`)
  const [cookie] = begin.headers.getSetCookie()[0]!.split(';')
  const state = new URL(begin.headers.get('location')!).searchParams.get('state')!
  const callback = `${url}/workbench/callback?code=x&state=${state}`
  return async (address = '192.0.2.1') => {
    const headers = { Cookie: cookie!, 'X-Forwarded-For': address }
    const response = await fetch(callback, { redirect: 'manual', headers })
    await response.text()
    return response.status
  }
}

// A header gives the client address.
const BEHIND_PROXY = { TIWALA_TRUSTED_PROXIES: '127.0.0.1' }

test('429: a callback that a network sends again causes 120 requests in a minute to the provider', async () => {
  const { issuer, requests } = await startProvider({ email: 'ana@hotel.example', email_verified: true })
  const { service } = await signInAt(issuer, BEHIND_PROXY)
  const repeat = await repeatedCallback(service.url)
  requests.length = 0
  const statuses = []
  for (let count = 0; count < 260; count++) statuses.push(await repeat())
  expect(new Set(statuses)).toEqual(new Set([400, 429]))
  // A minute may have ended meanwhile.
  expect([120, 240]).toContain(requests.length)
  expect(await repeat('198.51.100.1')).toBe(400)
})

test('503: more than 20 callbacks at once; each of the others reaches the provider, and a reload goes on', async () => {
  let release = () => {}
  const options: { held?: Promise<void> } = {}
  const { issuer, requests } = await startProvider(
    { email: 'ana@hotel.example', email_verified: true },
    options,
  )
  const { service } = await signInAt(issuer, BEHIND_PROXY)
  const repeat = await repeatedCallback(service.url)
  const browser = createBrowser(service.url)
  const begin = await browser.request(`${service.url}/workbench/sign-in`)
  const toCallback = await fetch(begin.headers.get('location')!, { redirect: 'manual' })
  const callback = toCallback.headers.get('location')!
  options.held = new Promise((resolve) => (release = resolve))
  requests.length = 0
  const responses = Array.from({ length: 25 }, () => repeat('203.0.113.1'))
  await expect.poll(() => requests.length).toBe(20)
  expect(await Promise.race(responses)).toBe(503)
  const refused = await browser.request(callback)
  expect([refused.status, refused.headers.getSetCookie()]).toEqual([503, []])
  release()
  const statuses = await Promise.all(responses)
  expect(statuses.filter((status) => status === 503)).toHaveLength(5)
  expect(requests).toHaveLength(20)
  expect((await browser.request(callback)).status).toBe(303)
})

test('the sandbox has no page of its own provider beside it', async () => {
  const service = await startServiceForFile({ TIWALA_STAFF_ISSUER: 'http://127.0.0.1:9' })
  expect((await fetch(`${service.url}/sandbox/staff`)).status).toBe(404)
})
