import { createClinic } from '@tiwala/examples/clinic'
import { expect, test, vi } from 'vitest'
import { createBrowser } from '../kit/browser.ts'
import { listenForFile } from '../kit/listen-for-file.ts'
import { approve, arrive, register } from '../kit/relying-party.ts'
import { startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile()
const { url, serve } = await listenForFile()
const { partner_code: clientId, partner_secret: clientSecret } = (await service.partner()).credentials
await register(service.operator, clientId, {
  redirect_uris: [`${url}/auth/callback/tiwala`],
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
serve(
  createClinic({
    issuer: `${service.url}/oidc`,
    clientId,
    clientSecret,
    sessionSecret: 'a secret of the test',
  }),
)

/** The pages of Auth.js send their forms with a token of this browser. */
async function send(browser: ReturnType<typeof createBrowser>, path: string) {
  const { text } = await browser.open(path)
  const csrfToken = /name="csrfToken" value="(\w+)"/.exec(text)![1]!
  return { text, submit: (action: string) => browser.open(action, { csrfToken }) }
}

test('a patient signs in and out, and the clinic has only configuration', async () => {
  const browser = createBrowser(url)
  expect((await browser.open('/')).text).toContain('href="/auth/signin"')
  const page = await send(browser, '/auth/signin')
  expect(page.text).toContain('Sign in with Tiwala')
  const { location } = await page.submit('/auth/signin/tiwala')
  const sent = new URL(location!).searchParams
  expect(sent.get('code_challenge_method')).toBe('S256')
  expect([sent.has('state'), sent.has('nonce')]).toEqual([true, true])
  const arrived = await arrive(service.url, new URL(location!))
  const citizen = await service.citizen({ first_name: 'Maria', middle_name: '', last_name: 'Santos' })
  await approve(citizen, await arrived.scan())
  await browser.open((await arrived.goOn()).href)
  expect((await browser.open('/')).text).toContain('Welcome, Maria')
  await (await send(browser, '/auth/signout')).submit('/auth/signout')
  expect((await browser.open('/')).text).toContain('href="/auth/signin"')
})

test('a link with the code of an attacker signs no other browser in', async () => {
  const [attacker, victim] = [createBrowser(url), createBrowser(url)]
  const { location } = await (await send(attacker, '/auth/signin')).submit('/auth/signin/tiwala')
  const arrived = await arrive(service.url, new URL(location!))
  await approve(await service.citizen(), await arrived.scan())
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  await victim.open((await arrived.goOn()).href)
  log.mockRestore()
  expect((await victim.open('/')).text).toContain('href="/auth/signin"')
})
