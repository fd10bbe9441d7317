import { createClinic } from '@tiwala/examples/clinic'
import { expect, test, vi } from 'vitest'
import { createBrowser } from '../kit/browser.ts'
import { listenForFile } from '../kit/listen-for-file.ts'
import { approve, arrive, register } from '../kit/relying-party.ts'
import { startServiceForFile } from '../kit/test-service.ts'
import type { Citizen } from '../kit/users.ts'

const service = await startServiceForFile()
const { url, serve } = await listenForFile()
/** A proxy that ends TLS, in front of the clinic. */
const proxy = await listenForFile()
const httpsUrl = proxy.url.replace('http:', 'https:')
const { partner_code: clientId, partner_secret: clientSecret } = (await service.partner()).credentials
await register(service.operator, clientId, {
  redirect_uris: [url, httpsUrl].map((origin) => `${origin}/auth/callback/tiwala`),
  purposes: [
    {
      name: 'default',
      text: 'To find your records.',
      items: ['name'],
      optional_items: [],
      minimum_acr: null,
    },
  ],
})
const clinic = createClinic({
  issuer: `${service.url}/oidc`,
  clientId,
  clientSecret,
  sessionSecret: 'a secret of the test',
})
serve(clinic)
proxy.serve((req, res) => {
  req.headers['x-forwarded-proto'] = 'https'
  clinic(req, res)
})

type Browser = ReturnType<typeof createBrowser>

/** The pages of Auth.js send their forms with a token of this browser. */
async function send(browser: Browser, path: string) {
  const { text } = await browser.visit(path)
  const csrfToken = /name="csrfToken" value="(\w+)"/.exec(text)![1]!
  return { text, submit: (action: string) => browser.visit(action, { csrfToken }) }
}

/** Begins a sign-in. Returns the address at Tiwala. */
async function begin(browser: Browser): Promise<URL> {
  const page = await send(browser, '/auth/signin')
  expect(page.text).toContain('Sign in with Tiwala')
  return new URL((await page.submit('/auth/signin/tiwala')).location!)
}

/** The citizen agrees. Returns the path at the clinic to which Tiwala sends the browser. */
async function approved(address: URL, citizen: Citizen): Promise<string> {
  const arrived = await arrive(service.url, address)
  await approve(citizen, await arrived.scan())
  const { pathname, search } = await arrived.goOn()
  return pathname + search
}

const maria = () => service.citizen({ first_name: 'Maria', middle_name: '', last_name: 'Santos' })

test('a patient signs in and out, and the clinic has only configuration', async () => {
  const browser = createBrowser(url)
  expect((await browser.visit('/')).text).toContain('href="/auth/signin"')
  const address = await begin(browser)
  const sent = address.searchParams
  expect(sent.get('code_challenge_method')).toBe('S256')
  expect([sent.has('state'), sent.has('nonce')]).toEqual([true, true])
  await browser.visit(await approved(address, await maria()))
  expect((await browser.visit('/')).text).toContain('Welcome, Maria')
  await (await send(browser, '/auth/signout')).submit('/auth/signout')
  expect((await browser.visit('/')).text).toContain('href="/auth/signin"')
})

test('a patient has the same id at each sign-in, and another patient another one', async () => {
  async function idOf(citizen: Citizen): Promise<unknown> {
    const browser = createBrowser(url)
    await browser.visit(await approved(await begin(browser), citizen))
    const { text } = await browser.visit('/auth/session')
    return (JSON.parse(text) as { user: { id?: string } }).user.id
  }
  const citizen = await maria()
  const id = await idOf(citizen)
  expect(id).toMatch(/^\S+$/)
  expect(await idOf(citizen)).toBe(id)
  expect(await idOf(await maria())).not.toBe(id)
})

test('behind a proxy that ends TLS, the callback address has https, and a patient signs in', async () => {
  const browser = createBrowser(proxy.url)
  const address = await begin(browser)
  expect(address.searchParams.get('redirect_uri')).toBe(`${httpsUrl}/auth/callback/tiwala`)
  await browser.visit(await approved(address, await maria()))
  expect((await browser.visit('/')).text).toContain('Welcome, Maria')
})

test('a link with the code of an attacker signs no other browser in', async () => {
  const [attacker, victim] = [createBrowser(url), createBrowser(url)]
  const link = await approved(await begin(attacker), await service.citizen())
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  await victim.visit(link)
  log.mockRestore()
  expect((await victim.visit('/')).text).toContain('href="/auth/signin"')
})
