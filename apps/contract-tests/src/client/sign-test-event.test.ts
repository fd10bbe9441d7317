// Events that partners sign for their own tests.
import { signTestEvent, type TestEvent, verifyWebhook } from '@tiwala/client'
import { Webhook } from 'standardwebhooks'
import { expect, test, vi } from 'vitest'
import { checkWebhook } from '../contract-check/webhooks.ts'
import { OTHER_SECRET, SECRET } from '../kit/signed-event.ts'

const ACCEPTED: TestEvent = {
  type: 'authorization.accepted',
  data: { tracking_no: '0'.repeat(26), state: 'ACCEPTED', scope: 'PROFILE_INQUIRE' },
}

test('it passes our verification and that of Standard Webhooks, and is an event of the contract', async () => {
  const { body, headers } = await signTestEvent(ACCEPTED, SECRET)
  const { id, event } = await verifyWebhook(body, headers, SECRET)
  expect([id, event]).toEqual([headers['webhook-id'], { ...ACCEPTED, timestamp: expect.any(String) }])
  expect(new Webhook(SECRET).verify(body, headers)).toEqual(event)
  expect(checkWebhook(headers, body).violations).toEqual([])
})

test('the secret may come from the environment, on both sides', async () => {
  vi.stubEnv('TIWALA_WEBHOOK_SECRET', SECRET)
  const { body, headers } = await signTestEvent(ACCEPTED)
  expect((await verifyWebhook(body, headers)).event.type).toBe('authorization.accepted')
  vi.unstubAllEnvs()
  await expect(verifyWebhook(body, headers, OTHER_SECRET)).rejects.toMatchObject({
    code: 'signature_invalid',
  })
  await expect(signTestEvent(ACCEPTED)).rejects.toThrow(/^secret must be /)
})

test('an id and a time can be chosen, to test repeated and late events', async () => {
  const now = new Date('2026-11-20T08:00:12.345Z')
  const { body, headers } = await signTestEvent(ACCEPTED, SECRET, { id: 'evt_1', now })
  expect(JSON.parse(body)).toMatchObject({ timestamp: now.toISOString() })
  expect((await verifyWebhook(body, headers, SECRET, { now })).id).toBe('evt_1')
  await expect(verifyWebhook(body, headers, SECRET)).rejects.toMatchObject({ code: 'timestamp_too_old' })
  const invalid = signTestEvent(ACCEPTED, SECRET, { now: new Date('today') })
  await expect(invalid).rejects.toThrow(new TypeError('now must be a valid Date.'))
})
