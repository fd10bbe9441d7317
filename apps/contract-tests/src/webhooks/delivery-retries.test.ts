import { describe, expect, test } from 'vitest'
import { startServiceForFile } from '../kit/test-service.ts'
import { lastDelivery, partnerWithReceiver, respondWith, untilReceived } from '../kit/webhook-receiver.ts'

const service = await startServiceForFile()

describe('failed deliveries', () => {
  test('are sent again with the same id and body until received: after 5 s, 5 m, 30 m, and on', async () => {
    const { receiver, partner, citizen } = await partnerWithReceiver(service, respondWith(500))
    const { record } = await partner.profiles.requestAuthorization(await citizen.showQr())
    await citizen.decline(record.tracking_no)
    const received = await untilReceived(receiver, 1)
    await expect.poll(async () => (await lastDelivery(service, partner.code)).attempts).toBe(1)
    expect(await lastDelivery(service, partner.code)).toMatchObject({
      status: 'PENDING',
      last_outcome: 'HTTP 500',
    })
    await service.advance(6)
    await untilReceived(receiver, 2)
    await expect.poll(async () => (await lastDelivery(service, partner.code)).attempts).toBe(2)
    receiver.setResponse(respondWith(204))
    await service.advance(331)
    await untilReceived(receiver, 3)
    await expect.poll(async () => (await lastDelivery(service, partner.code)).status).toBe('DELIVERED')
    expect(await lastDelivery(service, partner.code)).toMatchObject({
      attempts: 3,
      last_outcome: 'HTTP 204',
      next_attempt_at: null,
    })
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(received.map(({ body }) => body.toString())).size).toBe(1)
    await receiver.close()
  })

  test('are dead after ten attempts, and can be replayed', async () => {
    const { receiver, partner, citizen } = await partnerWithReceiver(service, respondWith(503))
    const { record } = await partner.profiles.requestAuthorization(await citizen.showQr())
    await citizen.decline(record.tracking_no)
    for (let attempts = 1; attempts <= 10; attempts++) {
      await expect
        .poll(async () => (await lastDelivery(service, partner.code)).attempts, { timeout: 60_000 })
        .toBe(attempts)
      await service.advance(27 * 3_600)
    }
    const dead = await lastDelivery(service, partner.code)
    expect(dead).toMatchObject({
      status: 'DEAD',
      attempts: 10,
      last_outcome: 'HTTP 503',
      next_attempt_at: null,
    })
    receiver.setResponse(respondWith(200))
    await service.operator('replayDelivery', { path: { webhook_id: dead.webhook_id } })
    const received = await untilReceived(receiver, 11)
    expect(received.at(-1)!.headers['webhook-id']).toBe(dead.webhook_id)
    await expect.poll(async () => (await lastDelivery(service, partner.code)).status).toBe('DELIVERED')
    await receiver.close()
  })

  test('wait for the time of the Retry-After header', async () => {
    const { receiver, partner, citizen } = await partnerWithReceiver(
      service,
      respondWith(429, { 'Retry-After': '600' }),
    )
    const { record } = await partner.profiles.requestAuthorization(await citizen.showQr())
    await citizen.decline(record.tracking_no)
    await expect
      .poll(async () => (await lastDelivery(service, partner.code)).attempts, { timeout: 60_000 })
      .toBe(1)
    const { last_attempt_at, next_attempt_at } = await lastDelivery(service, partner.code)
    expect(Date.parse(next_attempt_at!) - Date.parse(last_attempt_at!)).toBeGreaterThanOrEqual(600_000)
    await receiver.close()
  })

  test('stop after the response 410, until the operator sets the URL again', async () => {
    const { receiver, partner, citizen } = await partnerWithReceiver(service, respondWith(410))
    const ask = async () => {
      const { record } = await partner.profiles.requestAuthorization(await citizen.showQr())
      await citizen.decline(record.tracking_no)
    }
    await ask()
    await expect
      .poll(async () => (await lastDelivery(service, partner.code)).status, { timeout: 60_000 })
      .toBe('DEAD')
    await ask()
    await expect
      .poll(async () => (await lastDelivery(service, partner.code)).last_outcome, { timeout: 60_000 })
      .toBe('disabled')
    expect(receiver.received).toHaveLength(1)
    receiver.setResponse(respondWith(204))
    await service.operator('setCallback', {
      path: { partner_code: partner.code },
      body: { callback_url: receiver.url },
    })
    await ask()
    await untilReceived(receiver, 2)
    await receiver.close()
  })
})
