// The applications of apps/examples in a browser, with the phones that they name.
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createPartnerClient } from '@tiwala/client'
import { createBank } from '@tiwala/examples/bank'
import { createClinic } from '@tiwala/examples/clinic'
import { createHotel } from '@tiwala/examples/hotel'
import { playCitizen } from '@tiwala/examples/play-citizen'
import { signInNote } from '@tiwala/examples/sign-in-note'
import { allowInsecureRequests, discovery } from 'openid-client'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { openPage } from '../kit/open-page.ts'
import { axeFindings, keepScreenshot, sidewaysScrolling } from '../kit/page-checks.ts'
import { startServiceForFile } from '../kit/service.ts'

const service = await startServiceForFile()
const { sandbox, router } = await playCitizen(service.url)
const { secret_code, secret_token, partner_code, partner_secret, webhook_secret } = sandbox.partner
const issuer = `${service.url}/oidc`

async function start(createApp: (url: string) => RequestListener | Promise<RequestListener>) {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  server.on('request', await createApp(url))
  return url
}

const hotel = await start(() =>
  createHotel(
    createPartnerClient({ baseUrl: service.url, secretCode: secret_code, secretToken: secret_token }),
    webhook_secret,
  ).use(router),
)
const bank = await start(async (url) =>
  createBank({
    url,
    tiwala: await discovery(new URL(issuer), partner_code, partner_secret, undefined, {
      execute: [allowInsecureRequests],
    }),
    note: signInNote(service.url),
  }),
)
const clinic = await start(() =>
  createClinic({
    issuer,
    clientId: partner_code,
    clientSecret: partner_secret,
    sessionSecret: 'a secret of this test',
    note: signInNote(service.url),
  }),
)

const findings = async (page: Page) => [...(await axeFindings(page)), ...(await sidewaysScrolling(page))]

test.each([
  ['hotel', hotel],
  ['bank', bank],
  ['clinic', clinic],
])('%s: no finding of axe, no sideways scrolling, at two widths, light and dark', async (name, url) => {
  for (const scheme of ['light', 'dark'] as const)
    for (const width of [375, 1280]) {
      const page = await openPage(url, { width, scheme })
      await page.goto(url)
      expect([width, scheme, await findings(page)]).toEqual([width, scheme, []])
      await keepScreenshot(page, `example-${name}`, true)
    }
})

/** The phone of the first guest. */
async function openPhone() {
  const phone = await openPage(hotel, { width: 375 })
  await phone.goto(`${hotel}/citizen/qr`)
  await phone.getByRole('link').nth(1).click()
  return phone
}

async function expectWelcome(desk: Page, phone: Page) {
  await desk.getByRole('heading', { name: 'Waiting for the guest' }).waitFor()
  await phone.getByRole('link', { name: 'Requests on this phone' }).click()
  await phone.getByText('Name: full name').waitFor()
  await keepScreenshot(phone, 'example-phone')
  await phone.getByRole('button', { name: 'Accept' }).first().click()
  await desk.getByRole('heading', { name: /^Welcome, / }).waitFor()
  expect(await findings(desk)).toEqual([])
}

test('the desk reads a picture of the QR code, and the guest accepts on the phone that the page names', async () => {
  const phone = await openPhone()
  const buffer = await phone.locator('main .qr').screenshot()
  expect(await findings(phone)).toEqual([])
  await keepScreenshot(phone, 'example-qr')
  const desk = await openPage(hotel)
  await desk.goto(hotel)
  const chooser = desk.getByLabel('Choose a picture of the code')
  await chooser.setInputFiles({ name: 'a.txt', mimeType: 'image/png', buffer: Buffer.from('no picture') })
  await desk.getByText('No QR code was found in this picture').waitFor()
  await chooser.setInputFiles({ name: 'qr.png', mimeType: 'image/png', buffer })
  await expectWelcome(desk, phone)
})

test('the desk reads the QR code with the camera', async () => {
  const phone = await openPhone()
  const picture = (await phone.locator('main .qr').screenshot()).toString('base64')
  const desk = await openPage(hotel)
  // A camera that sees the picture.
  await desk.addInitScript((base64) => {
    navigator.mediaDevices.getUserMedia = async () => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
      const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 480 })
      const context = canvas.getContext('2d')!
      setInterval(() => {
        context.fillStyle = '#fff'
        context.fillRect(0, 0, 640, 480)
        context.drawImage(bitmap, 120, 40, 400, 400)
      }, 100)
      return canvas.captureStream()
    }
  }, picture)
  await desk.goto(hotel)
  await desk.getByRole('button', { name: 'Use the camera' }).click()
  await expectWelcome(desk, phone)
})

test('without a camera, the desk asks for a picture', async () => {
  const desk = await openPage(hotel)
  await desk.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = async () => Promise.reject(new Error('no camera'))
  })
  await desk.goto(hotel)
  await desk.getByRole('button', { name: 'Use the camera' }).click()
  await desk.getByText('Choose a picture of the code instead').waitFor()
  expect(await desk.locator('video').isVisible()).toBe(false)
})

test('the bank signs a citizen in and out, from page to page', async () => {
  const page = await openPage([bank, service.url])
  await page.goto(bank)
  await page.getByRole('button', { name: 'Sign in with Tiwala' }).click()
  await page.getByRole('link', { name: 'Open the app on this device' }).click()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('heading', { name: /^Welcome, / }).waitFor()
  expect(page.url()).toBe(`${bank}/account`)
  expect(await page.getByText('you are also the citizen').count()).toBe(0)
  await page.getByText('1990-04-17').waitFor()
  await keepScreenshot(page, 'example-account')
  await page.getByRole('button', { name: 'Sign out' }).click()
  const confirm = page.getByRole('button', { name: /sign out/i })
  if (page.url().startsWith(service.url)) await confirm.click()
  await page.waitForURL(`${bank}/`)
})

test('the clinic signs a patient in, from page to page', async () => {
  const page = await openPage([clinic, service.url])
  await page.goto(clinic)
  await page.getByRole('link', { name: 'Sign in with Tiwala' }).click()
  await page.getByRole('button', { name: 'Sign in with Tiwala' }).click()
  await page.getByRole('link', { name: 'Open the app on this device' }).click()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('heading', { name: /^Welcome, / }).waitFor()
  expect(new URL(page.url()).origin).toBe(clinic)
  expect(await page.getByText('you are also the citizen').count()).toBe(0)
})
