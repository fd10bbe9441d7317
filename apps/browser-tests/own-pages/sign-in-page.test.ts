// The page that a citizen meets when a partner signs them in by OpenID Connect.
import { send } from '@tiwala/kit/operations'
import { bearer } from '@tiwala/kit/users'
import { expect, test } from 'vitest'
import { openPage, openUnwatchedPage, watch } from '../kit/open-page.ts'
import { axeFindings, keepScreenshot, sidewaysScrolling } from '../kit/page-checks.ts'
import { startServiceForFile } from '../kit/service.ts'

const service = await startServiceForFile()

const authorizationUrl = (parameters: Record<string, string> = {}) =>
  `${service.url}/oidc/auth?${String(
    new URLSearchParams({
      client_id: 'SANDBOX',
      response_type: 'code',
      redirect_uri: `${service.url}/sandbox/signed-in`,
      scope: 'openid profile email',
      state: 'state-of-the-browser',
      code_challenge: '0'.repeat(43),
      code_challenge_method: 'S256',
      ...parameters,
    }),
  )}`

/** A citizen of a sandbox of its own answers in the citizen app. */
async function newCitizen(): Promise<Record<string, string>> {
  const created = await fetch(`${service.url}/sandbox`, { method: 'POST' })
  const { citizens } = (await created.json()) as { citizens: { token: string; behavior: string }[] }
  return bearer(citizens.find(({ behavior }) => behavior === 'manual')!.token)
}

async function answer(code: string, operation: 'approveSignIn' | 'declineSignIn'): Promise<void> {
  const headers = await newCitizen()
  const opened = await send(service.url, 'openSignIn', { headers, json: { code } })
  const { sign_in_id, items } = (await opened.json()) as {
    sign_in_id: string
    items: { item: string; is_required: boolean }[]
  }
  const required = items.filter(({ is_required }) => is_required).map(({ item }) => item)
  const json = operation === 'approveSignIn' ? { items: required } : {}
  const answered = await send(service.url, operation, { headers, path: { sign_in_id }, json })
  expect(answered.status).toBe(200)
}

const codeOfLink = async (page: Awaited<ReturnType<typeof openPage>>) =>
  new URL(
    (await page.getByRole('link', { name: 'Open the app on this device' }).getAttribute('href'))!,
  ).searchParams.get('code')!

test.each([
  ['in English', { ui_locales: 'en' }, 'own-sign-in'],
  ['in Filipino', { ui_locales: 'fil' }, 'own-sign-in-filipino'],
  ['of a wrong link', { redirect_uri: 'https://other.example/' }, 'own-sign-in-wrong'],
])('a page %s: no finding of axe, no sideways scrolling', async (_what, parameters, name) => {
  for (const scheme of ['light', 'dark'] as const)
    for (const width of [375, 1280]) {
      // The browser reports the 400 of the page of a wrong link.
      const page = await openUnwatchedPage({ width, scheme })
      const problems = watch(page, [service.url])
      await page.goto(authorizationUrl(parameters))
      await page.getByRole('heading', { level: 1 }).waitFor()
      const findings = [...(await axeFindings(page)), ...(await sidewaysScrolling(page))]
      const unexpected = problems.filter((problem) => !problem.includes('400'))
      expect([width, scheme, findings, unexpected]).toEqual([width, scheme, [], []])
      await keepScreenshot(page, name, true)
    }
})

test('without JavaScript: the page shows a QR code, loads again by itself, and says how it ended', async () => {
  const page = await openUnwatchedPage({ width: 375, javaScript: false })
  await page.goto(authorizationUrl())
  await page.getByRole('img', { name: 'QR code for the citizen app' }).waitFor()
  // The parts of a name that is shared as a whole are not listed.
  const items = await page.locator('main li').allTextContents()
  expect(items.slice(0, 3).map((item) => item.trim())).toEqual([
    'Your full name',
    'Your gender',
    'Your date of birth',
  ])
  await answer(await codeOfLink(page), 'declineSignIn')
  await page.getByRole('heading', { name: 'You declined' }).waitFor()
  await page.getByRole('link', { name: /^Back to / }).click()
  await page.waitForURL(/signed-in/)
  expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied')
})

test('the QR code changes by itself, and is dark on white on a dark page', async () => {
  const page = await openPage(service.url, { width: 1280, scheme: 'dark' })
  await page.goto(authorizationUrl())
  const qr = page.locator('#qr')
  const first = await qr.getAttribute('src')
  await expect.poll(() => qr.getAttribute('src')).not.toBe(first)
  expect(
    await qr.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
  ).toBeGreaterThan(0)
  const corner = await qr.evaluate((image: HTMLImageElement) => {
    const context = document.createElement('canvas').getContext('2d')!
    context.drawImage(image, 0, 0)
    return [...context.getImageData(2, 2, 1, 1).data]
  })
  expect(corner).toEqual([255, 255, 255, 255])
})

test('the citizen declines: the page says so, leads back to the partner, and cannot be used again', async () => {
  // The browser reports the 400 of the page that has ended.
  const page = await openUnwatchedPage({ width: 375 })
  await page.goto(authorizationUrl())
  await answer(await codeOfLink(page), 'declineSignIn')
  await page.getByRole('heading', { name: 'You declined' }).waitFor()
  await page.getByRole('link', { name: /^Back to / }).click()
  await page.waitForURL(/signed-in\?error=access_denied/)
  await page.goBack()
  await page.getByRole('heading', { name: 'This sign-in cannot go on here' }).waitFor()
  expect(await page.getByRole('img').count()).toBe(0)
})

test('the citizen chooses the language', async () => {
  const page = await openPage(service.url, { width: 375 })
  await page.goto(authorizationUrl())
  await page.getByRole('link', { name: 'Filipino' }).click()
  await page.getByRole('button', { name: 'Kanselahin' }).click()
  await page.getByRole('heading', { name: 'Kinansela' }).waitFor()
  expect(await page.getByRole('link', { name: 'English' }).count()).toBe(0)
})

test('the citizen cancels with the keyboard', async () => {
  const page = await openPage(service.url, { width: 375 })
  await page.goto(authorizationUrl())
  await page.getByRole('button', { name: 'Cancel' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Cancelled' }).waitFor()
  expect(await page.locator('#qr').count()).toBe(0)
})

test('the citizen approves on the same device: this page waits for the app', async () => {
  const page = await openPage(service.url, { width: 375 })
  await page.goto(authorizationUrl())
  await answer(await codeOfLink(page), 'approveSignIn')
  await page.getByRole('heading', { name: 'Go on in the app' }).waitFor()
  expect(page.url()).toContain('/oidc/sign-in/')
})

test('in the sandbox, the link leads to a citizen app that answers, and the browser returns to the partner', async () => {
  const created = await fetch(`${service.url}/sandbox`, { method: 'POST' })
  const { partner } = (await created.json()) as { partner: { partner_code: string } }
  const page = await openPage(service.url, { width: 375 })
  await page.goto(authorizationUrl({ client_id: partner.partner_code }))
  await page.getByRole('link', { name: 'Open the app on this device' }).click()
  await page.getByRole('checkbox', { name: 'email address' }).uncheck()
  expect([...(await axeFindings(page)), ...(await sidewaysScrolling(page))]).toEqual([])
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.waitForURL(/signed-in\?code=/)
  // After the answer, the page of the app has no button that would answer again.
  await page.goBack()
  await page.getByText('This sign-in request is approved.').waitFor()
  expect(await page.getByRole('link', { name: 'Go on in the browser' }).getAttribute('href')).toContain(
    '/return?nonce=',
  )
  expect(await page.getByRole('button').count()).toBe(0)
  expect([...(await axeFindings(page)), ...(await sidewaysScrolling(page))]).toEqual([])
})
