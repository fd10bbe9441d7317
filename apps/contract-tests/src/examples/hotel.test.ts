import { createPartnerClient, signTestEvent } from '@tiwala/client'
import { createHotel } from '@tiwala/examples/hotel'
import { expect, test } from 'vitest'
import { createBrowser } from '../kit/browser.ts'
import { listenForFile } from '../kit/listen-for-file.ts'
import { startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile()
const { url, serve } = await listenForFile()
const { credentials } = await service.partner({ callback_url: `${url}/tiwala/events` })
/** While it is not resolved, no inquiry gets a response. */
let outage = Promise.resolve()
let inquiries = 0
const tiwala = createPartnerClient({
  baseUrl: service.url,
  secretCode: credentials.secret_code,
  secretToken: credentials.secret_token,
  fetch: async (request) => {
    if (new URL(request.url).pathname.endsWith('/inquire')) {
      inquiries++
      await outage
    }
    return fetch(request)
  },
})
serve(createHotel(tiwala, credentials.webhook_secret))
const desk = createBrowser(url)

const POLL = { interval: 50 }

/** Scans the QR code of a new citizen. */
async function checkIn() {
  const citizen = await service.citizen({ first_name: '<Maria>', last_name: 'Santos' })
  const { status, location } = await desk.visit('/check-ins', { qr_value: `${await citizen.showQr()}\n` })
  expect(status).toBe(303)
  const trackingNo = location!.split('/').at(-1)!
  const read = async () => (await desk.visit(location!)).text
  return { citizen, trackingNo, read }
}

/** The service sends the event that the guest has accepted. */
async function sendAccepted(trackingNo: string): Promise<number> {
  const { body, headers } = await signTestEvent(
    {
      type: 'authorization.accepted',
      data: { tracking_no: trackingNo, state: 'ACCEPTED', scope: 'PROFILE_INQUIRE' },
    },
    credentials.webhook_secret,
  )
  return (await fetch(`${url}/tiwala/events`, { method: 'POST', headers, body })).status
}

test('a guest accepts, then withdraws the consent: the desk shows the name, then deletes it', async () => {
  const { citizen, trackingNo, read } = await checkIn()
  const pending = await read()
  expect(pending).toContain('Waiting for the guest')
  expect(pending).toContain(`<strong>${trackingNo.slice(-4)}</strong>`)
  await citizen.accept(trackingNo)
  await expect.poll(read, POLL).toContain('Welcome, &lt;Maria&gt; Santos')
  await citizen.revoke(trackingNo)
  await expect.poll(read, POLL).toContain('The guest withdrew the consent')
  expect(await read()).not.toContain('Santos')
})

test('a guest declines', async () => {
  const { citizen, trackingNo, read } = await checkIn()
  await citizen.decline(trackingNo)
  await expect.poll(read, POLL).toContain('The guest declined')
})

test('422: a wrong QR code, and the desk can scan again', async () => {
  const { status, text } = await desk.visit('/check-ins', { qr_value: 'junk' })
  expect(status).toBe(422)
  expect(text).toContain('Ask the guest to show a new QR code')
  expect(text).toContain('name="qr_value"')
})

test('404: an unknown check-in; no cache stores a page of the desk', async () => {
  const { status, headers } = await desk.visit('/check-ins/x')
  expect([status, headers.get('cache-control')]).toEqual([404, 'no-store'])
})

test('400: an event that the service did not sign changes nothing', async () => {
  const { trackingNo, read } = await checkIn()
  const forged = await fetch(`${url}/tiwala/events`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'webhook-id': 'x' },
    body: JSON.stringify({ type: 'authorization.accepted', data: { tracking_no: trackingNo } }),
  })
  expect(forged.status).toBe(400)
  expect(await read()).toContain('Waiting for the guest')
  await tiwala.cancelAuthorization(trackingNo)
})

test('a guest withdraws the consent while the hotel cannot inquire: the desk deletes the name', async () => {
  const { citizen, trackingNo, read } = await checkIn()
  await citizen.accept(trackingNo)
  await expect.poll(read, POLL).toContain('Santos')
  const { promise, resolve: end } = Promise.withResolvers<void>()
  outage = promise
  await citizen.revoke(trackingNo)
  await expect.poll(read, POLL).toContain('The guest withdrew the consent')
  expect(await read()).not.toContain('Santos')
  end()
})

test('204: an event starts no further inquiry, and the guest sees one disclosure', async () => {
  const { promise, resolve: end } = Promise.withResolvers<void>()
  outage = promise
  const { citizen, trackingNo, read } = await checkIn()
  await citizen.accept(trackingNo)
  const before = inquiries
  expect([await sendAccepted(trackingNo), inquiries]).toEqual([204, before])
  end()
  await expect.poll(read, POLL).toContain('Welcome')
  const after = inquiries
  expect([await sendAccepted(trackingNo), inquiries]).toEqual([204, after])
  expect(await citizen.disclosures()).toHaveLength(1)
})

test('the hotel cannot inquire: the desk says so, and waits again for the same guest', async () => {
  const path = { partner_code: credentials.partner_code }
  const { citizen, trackingNo, read } = await checkIn()
  await service.operator('suspendPartner', { path })
  await expect.poll(read, POLL).toContain('We cannot get the answer of the guest now')
  const failed = await read()
  expect(failed).toContain('name="qr_value"')
  expect(failed).not.toContain('http-equiv="refresh"')
  await service.operator('resumePartner', { path })
  const [, action] = /action="(\/check-ins\/\w+\/wait)"/.exec(failed)!
  expect(await desk.visit(action!, {})).toMatchObject({ status: 303, location: `/check-ins/${trackingNo}` })
  expect(await read()).toContain('Waiting for the guest')
  await citizen.accept(trackingNo)
  await expect.poll(read, POLL).toContain('Welcome')
})

// The last test, because the clock of the service stays ahead.
test('204: an event arrives when the profile can no longer be read, and the desk says so', async () => {
  const { promise, resolve: end } = Promise.withResolvers<void>()
  outage = promise
  const { citizen, trackingNo, read } = await checkIn()
  await citizen.accept(trackingNo)
  // Before the hotel inquires.
  expect(await sendAccepted(trackingNo)).toBe(204)
  await service.advance(3601)
  end()
  await expect.poll(read, POLL).toContain('The profile can no longer be read')
})
