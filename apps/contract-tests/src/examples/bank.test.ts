import { createSsoClient } from '@tiwala/client'
import type { Schemas } from '@tiwala/contract'
import { createBank } from '@tiwala/examples/bank'
import * as openid from 'openid-client'
import { describe, expect, test, vi } from 'vitest'
import { createBrowser } from '../kit/browser.ts'
import { listenForFile } from '../kit/listen-for-file.ts'
import { approve, arrive, register } from '../kit/relying-party.ts'
import { startServiceForFile } from '../kit/test-service.ts'
import type { Citizen } from '../kit/users.ts'

const service = await startServiceForFile()
const { url, serve } = await listenForFile()
const { credentials } = await service.partner({ sso_url: `${url}/signed-in` })
const { partner_code: partnerCode, partner_secret: partnerSecret } = credentials
const grant = (items: Schemas['SignInItem'][], optional_items: Schemas['SignInItem'][]) =>
  register(service.operator, partnerCode, {
    redirect_uris: [`${url}/callback`],
    post_logout_redirect_uris: [`${url}/`],
    purposes: [{ name: 'default', text: 'To open your account.', items, optional_items, minimum_acr: null }],
  })
await grant(['name', 'birthdate', 'uniqid'], [])
const tiwala = await openid.discovery(new URL(`${service.url}/oidc`), partnerCode, partnerSecret, undefined, {
  execute: [openid.allowInsecureRequests],
})
const sso = createSsoClient({ authUrl: service.url, partnerCode, partnerSecret })
const exchange = { sso, citizenAppUrl: (state: string) => `citizen-app:sign-in?state=${state}` }
serve(createBank({ url, tiwala, exchange }))

const newCitizen = () => service.citizen({ first_name: 'Maria', middle_name: '', last_name: 'Santos' })
type Browser = ReturnType<typeof createBrowser>

/** Begins a sign-in, in the same browser at Tiwala. */
async function begin(browser: Browser) {
  const { status, location } = await browser.visit('/sign-in', {})
  expect(status).toBe(303)
  return arrive(service.url, new URL(location!))
}

/** The citizen agrees. Returns the address to which Tiwala sends the browser. */
async function approved(browser: Browser, citizen?: Citizen): Promise<string> {
  const arrived = await begin(browser)
  await approve(citizen ?? (await newCitizen()), await arrived.scan())
  return (await arrived.goOn()).href
}

describe('by OpenID Connect', () => {
  test('the citizen signs in and out: no code stays in the address, and both sessions end', async () => {
    const browser = createBrowser(url)
    const signedIn = await browser.visit(await approved(browser))
    expect([signedIn.status, signedIn.location]).toEqual([303, '/account'])
    expect(signedIn.headers.getSetCookie().at(-1)).toMatch(/^session=.*; Path=\/; HttpOnly; SameSite=Lax$/)
    expect(signedIn.headers.get('referrer-policy')).toBe('no-referrer')
    expect((await browser.visit('/account')).text).toContain('Welcome, Maria')
    const { location } = await browser.visit('/sign-out', {})
    const logout = new URL(location!)
    expect(logout.pathname).toBe('/oidc/session/end')
    expect(logout.searchParams.get('post_logout_redirect_uri')).toBe(`${url}/`)
    expect((await browser.visit('/account')).location).toBe('/')
  })

  test('the session ID changes when the citizen is signed in', async () => {
    const browser = createBrowser(url)
    const link = await approved(browser)
    const before = browser.cookies()
    await browser.visit(link)
    expect(browser.cookies()).not.toEqual(before)
    const attacker = createBrowser(url)
    attacker.plant(before)
    expect((await attacker.visit('/account')).location).toBe('/')
  })

  test('403: a link with the code of an attacker is refused, and works for the attacker alone', async () => {
    const [attacker, victim] = [createBrowser(url), createBrowser(url)]
    const link = await approved(attacker)
    const { status, text } = await victim.visit(link)
    expect([status, text.includes('This sign-in did not begin here')]).toEqual([403, true])
    await begin(victim)
    const refused = await victim.visit(link)
    expect([refused.status, refused.text.includes('This sign-in did not begin here')]).toEqual([403, true])
    expect((await attacker.visit(link)).location).toBe('/account')
    expect((await attacker.visit(link)).status).toBe(403)
  })

  /** Begins a sign-in. Returns its state. */
  async function stateOf(browser: Browser): Promise<string> {
    const { location } = await browser.visit('/sign-in', {})
    return new URL(location!).searchParams.get('state')!
  }

  test('403: a used code offers to begin again, and is not logged', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const browser = createBrowser(url)
    const link = new URL(await approved(browser))
    await browser.visit(link.href)
    link.searchParams.set('state', await stateOf(browser))
    const { status, text } = await browser.visit(link.href)
    const logged = JSON.stringify(log.mock.calls)
    log.mockRestore()
    expect([status, text.includes('This sign-in cannot go on')]).toEqual([403, true])
    expect(logged).toContain('invalid_grant')
    expect(logged).not.toContain(link.searchParams.get('code'))
  })

  test.each<[string, string, () => Response]>([
    [
      'the secret of the bank is wrong',
      'invalid_client',
      () => Response.json({ error: 'invalid_client' }, { status: 401 }),
    ],
    ['Tiwala is busy', 'OAUTH_RESPONSE_IS_NOT_CONFORM', () => new Response('', { status: 503 })],
    ['another server responds', 'OAUTH_RESPONSE_IS_NOT_JSON', () => new Response('<h1>Sign in here</h1>')],
    ['the response is not a token', 'OAUTH_INVALID_RESPONSE', () => Response.json({})],
    [
      'Tiwala does not respond in time',
      'OAUTH_TIMEOUT',
      () => {
        throw new DOMException('The operation timed out', 'TimeoutError')
      },
    ],
  ])('503: %s, and the log says why, without the code', async (_what, reason, respondToken) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const failing = await listenForFile()
    const config = new openid.Configuration(tiwala.serverMetadata(), partnerCode, partnerSecret)
    openid.allowInsecureRequests(config)
    config[openid.customFetch] = async () => respondToken()
    failing.serve(createBank({ url: failing.url, tiwala: config }))
    const browser = createBrowser(failing.url)
    const [state, { issuer: iss }] = [await stateOf(browser), config.serverMetadata()]
    const answer = new URLSearchParams({ code: 'code-of-a-citizen', state, iss })
    const { status, text } = await browser.visit(`/callback?${String(answer)}`)
    const logged = JSON.stringify(log.mock.calls)
    log.mockRestore()
    expect([status, text.includes('You cannot sign in now')]).toEqual([503, true])
    expect(logged).toContain(reason)
    expect(logged).not.toContain('code-of-a-citizen')
  })

  test('the citizen declines: the bank says so, and offers to begin again', async () => {
    const browser = createBrowser(url)
    const arrived = await begin(browser)
    const { app } = await newCitizen()
    const { body } = await app('openSignIn', { body: { code: await arrived.scan() } })
    await app('declineSignIn', { path: { sign_in_id: body.sign_in_id } })
    const { status, text } = await browser.visit((await arrived.goOn()).href)
    expect([status, text.includes('You did not sign in')]).toEqual([200, true])
    expect(text).toContain('Sign in with Tiwala')
  })

  test('503: a citizen who leaves the uniqid out is not signed in', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    await grant(['name'], ['uniqid'])
    const browser = createBrowser(url)
    const arrived = await begin(browser)
    await approve(await newCitizen(), await arrived.scan(), () => ['name'])
    expect((await browser.visit((await arrived.goOn()).href)).status).toBe(503)
    await grant(['name', 'birthdate', 'uniqid'], [])
    log.mockRestore()
    expect((await browser.visit('/account')).location).toBe('/')
  })

  test('with https, the session cookie is Secure and of this host alone', async () => {
    const secure = await listenForFile()
    secure.serve(createBank({ url: 'https://bank.example', tiwala }))
    const { headers } = await createBrowser(secure.url).visit('/sign-in', {})
    expect(headers.get('set-cookie')).toMatch(/^__Host-session=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  })
})

describe('by an exchange code', () => {
  /** Opens the citizen app. Returns the state that it gets. */
  async function openApp(browser: Browser): Promise<string> {
    const { status, location } = await browser.visit('/open-app', {})
    expect(status).toBe(303)
    return /^citizen-app:sign-in\?state=([0-9a-f]{32})$/.exec(location!)![1]!
  }

  /** The citizen app: the address that it opens. */
  async function redirectUrl(state?: string, citizen?: Citizen): Promise<string> {
    const { app } = citizen ?? (await newCitizen())
    const body = { partner_code: partnerCode, ...(state && { state }) }
    return (await app('issueExchangeCode', { body })).body.redirect_url!
  }

  test('the citizen signs in and out: the page after it has no code in its address', async () => {
    const browser = createBrowser(url)
    const signedIn = await browser.visit(await redirectUrl(await openApp(browser)))
    expect([signedIn.status, signedIn.location]).toEqual([303, '/account'])
    expect((await browser.visit('/account')).text).toContain('Welcome, Maria Santos')
    expect((await browser.visit('/sign-out', {})).location).toBe(`${url}/`)
    expect((await browser.visit('/account')).location).toBe('/')
  })

  test('a citizen who signs in both ways is one customer, with the same name and date of birth', async () => {
    const citizen = await newCitizen()
    const accountAfter = async (browser: Browser, link: string) => {
      await browser.visit(link)
      return (await browser.visit('/account')).text
    }
    const [byApp, byOpenid] = [createBrowser(url), createBrowser(url)]
    const account = await accountAfter(byApp, await redirectUrl(await openApp(byApp), citizen))
    expect(account).toContain(`<code>${citizen.uniqid}</code>`)
    expect(account).toContain(`<dd>${citizen.profile.birth_date}</dd>`)
    expect(await accountAfter(byOpenid, await approved(byOpenid, citizen))).toBe(account)
  })

  test('403: a link with the code of an attacker is refused, and the code is not used', async () => {
    const [attacker, victim] = [createBrowser(url), createBrowser(url)]
    const link = await redirectUrl(await openApp(attacker))
    await openApp(victim)
    const refused = await victim.visit(link)
    expect([refused.status, refused.text.includes('This sign-in did not begin here')]).toEqual([403, true])
    expect((await victim.visit('/account')).location).toBe('/')
    expect((await attacker.visit(link)).location).toBe('/account')
    expect((await attacker.visit(link)).status).toBe(403)
    expect((await attacker.visit('/account')).text).toContain('Welcome')
  })

  test.each([
    ['without a session', async () => redirectUrl('0'.repeat(32))],
    ['without a state: it began in the citizen app', async () => redirectUrl()],
    ['without a code', async () => '/signed-in'],
    ['with two codes', async () => '/signed-in?exchange_code=a&exchange_code=b'],
  ])('403: a sign-in %s offers to begin one', async (_what, link) => {
    const { status, text } = await createBrowser(url).visit(await link())
    expect([status, text.includes('Sign in with the citizen app')]).toEqual([403, true])
  })

  test('403: a state works once, and a used code offers to begin again', async () => {
    const browser = createBrowser(url)
    const link = new URL(await redirectUrl(await openApp(browser)))
    await browser.visit(link.href)
    expect((await browser.visit(link.href)).text).toContain('This sign-in did not begin here')
    link.searchParams.set('state', await openApp(browser))
    const { status, text } = await browser.visit(link.href)
    expect([status, text.includes('The sign-in has expired')]).toEqual([403, true])
  })
})
