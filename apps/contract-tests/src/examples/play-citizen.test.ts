// The phone that the examples play, from the QR code to the answer.
import { createPartnerClient } from '@tiwala/client'
import { createHotel } from '@tiwala/examples/hotel'
import { playCitizen } from '@tiwala/examples/play-citizen'
import { expect, test } from 'vitest'
import { createBrowser } from '../kit/browser.ts'
import { listenForFile } from '../kit/listen-for-file.ts'
import { startServiceForFile } from '../kit/test-service.ts'

// A separate service, because the phones are those of the default sandbox's citizens.
const service = await startServiceForFile({})
const { url, serve } = await listenForFile()
const { sandbox, router } = await playCitizen(service.url)
const { secret_code: secretCode, secret_token: secretToken, webhook_secret } = sandbox.partner
const hotel = createHotel(
  createPartnerClient({ baseUrl: service.url, secretCode, secretToken }),
  webhook_secret,
)
serve(hotel.use(router))
const browser = createBrowser(url)

test.each([
  ['accept', 'Welcome, '],
  ['decline', 'The guest declined'],
])('a guest shows a QR code, and can %s on the same phone', async (decision, outcome) => {
  expect((await browser.visit('/citizen/qr')).text).toContain('href="/citizen/qr/0"')
  const qr = (await browser.visit('/citizen/qr/0')).text
  expect(qr).toMatch(/My QR code.*<svg /s)
  expect(qr).toContain('href="/citizen/phone/0"')
  expect((await browser.visit('/citizen/phone/0')).text).toContain('No request waits for an answer')
  const [qr_value] = /TWQ1\w{32}/.exec(qr)!
  const { location } = await browser.visit('/check-ins', { qr_value })
  const phone = (await browser.visit('/citizen/phone/0')).text
  expect(phone).toContain(`<strong class="last4">${location!.slice(-4)}</strong>`)
  const [, action] = new RegExp(`action="([^"]+/${decision})"`).exec(phone)!
  expect(await browser.visit(action!, {})).toMatchObject({ status: 303, location: '/citizen/phone/0' })
  await expect.poll(async () => (await browser.visit(location!)).text, { interval: 50 }).toContain(outcome)
})
