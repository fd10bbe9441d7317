import { createSsoClient } from '@tiwala/client'
import { createBank } from '@tiwala/examples/bank'
import { expect, test, vi } from 'vitest'
import { createBrowser } from '../kit/browser.ts'
import { listenForFile } from '../kit/listen-for-file.ts'
import { startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile()
const { url, serve } = await listenForFile()
const { credentials } = await service.partner({ sso_url: `${url}/signed-in` })
const sso = createSsoClient({
  authUrl: service.url,
  partnerCode: credentials.partner_code,
  partnerSecret: credentials.partner_secret,
})
serve(createBank({ sso, citizenAppUrl: (state) => `citizen-app:sign-in?state=${state}` }))

/** Begins a sign-in. Returns the state that the citizen app gets. */
async function begin(browser: ReturnType<typeof createBrowser>): Promise<string> {
  const { status, location } = await browser.open('/sign-in', {})
  expect(status).toBe(303)
  return /^citizen-app:sign-in\?state=([0-9a-f]{32})$/.exec(location!)![1]!
}

/** The citizen app: the address that it opens. */
async function redirectUrl(state?: string): Promise<string> {
  const { app } = await service.citizen({ first_name: 'Maria', last_name: 'Santos' })
  const body = { partner_code: credentials.partner_code, ...(state && { state }) }
  return (await app('issueExchangeCode', { body })).body.redirect_url!
}

test('the citizen signs in: the page after it has no code in its address', async () => {
  const browser = createBrowser(url)
  const signedIn = await browser.open(await redirectUrl(await begin(browser)))
  expect([signedIn.status, signedIn.location]).toEqual([303, '/account'])
  expect(signedIn.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Lax$/)
  expect(signedIn.headers.get('referrer-policy')).toBe('no-referrer')
  expect((await browser.open('/account')).text).toContain('Welcome, Maria Santos')
  await browser.open('/sign-out', {})
  expect((await browser.open('/account')).location).toBe('/')
})

test('the session ID changes when the citizen is signed in', async () => {
  const browser = createBrowser(url)
  const state = await begin(browser)
  const before = browser.cookies.get('session')!
  await browser.open(await redirectUrl(state))
  expect(browser.cookies.get('session')).not.toBe(before)
  const attacker = createBrowser(url)
  attacker.cookies.set('session', before)
  expect((await attacker.open('/account')).location).toBe('/')
})

test('403: a link with the code of an attacker is refused, and the code is not used', async () => {
  const [attacker, victim] = [createBrowser(url), createBrowser(url)]
  const link = await redirectUrl(await begin(attacker))
  await begin(victim)
  const refused = await victim.open(link)
  expect(refused.status).toBe(403)
  expect(refused.text).toContain('This sign-in did not begin here')
  expect((await victim.open('/account')).location).toBe('/')
  expect((await attacker.open(link)).location).toBe('/account')
  expect((await attacker.open(link)).status).toBe(403)
  expect((await attacker.open('/account')).text).toContain('Welcome')
})

test.each([
  ['without a session', async () => redirectUrl('0'.repeat(32))],
  ['without a state: it began in the citizen app', async () => redirectUrl()],
  ['without a code', async () => '/signed-in'],
  ['with two codes', async () => '/signed-in?exchange_code=a&exchange_code=b'],
])('403: a sign-in %s offers to begin one', async (_what, link) => {
  const { status, text } = await createBrowser(url).open(await link())
  expect([status, text.includes('Sign in with Tiwala')]).toEqual([403, true])
})

test('403: a state works once, and a used code offers to begin again', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const browser = createBrowser(url)
  const link = new URL(await redirectUrl(await begin(browser)))
  await browser.open(link.href)
  expect((await browser.open(link.href)).text).toContain('This sign-in did not begin here')
  link.searchParams.set('state', await begin(browser))
  const { status, text } = await browser.open(link.href)
  expect([status, text.includes('The sign-in has expired')]).toEqual([403, true])
  expect(log.mock.calls.join()).not.toContain(link.searchParams.get('exchange_code'))
  log.mockRestore()
})
