import { verifyWebhook } from '@tiwala/client'
import type { WebhookEvent } from '@tiwala/contract'
import { describe, expect, test } from 'vitest'
import { startServiceForFile, startTestService } from '../kit/test-service.ts'
import {
  lastDelivery,
  partnerWithReceiver,
  type Received,
  startReceiver,
  untilReceived,
} from '../kit/webhook-receiver.ts'

const service = await startServiceForFile()

const typesOf = (received: Received[]) => received.map(({ event }) => event.type).toSorted()
describe('events', () => {
  test('are sent once for each change and sign-in, signed and without personal data', async () => {
    const { receiver, partner, citizen } = await partnerWithReceiver(service)
    const ask = async () =>
      (await partner.profiles.requestAuthorization(await citizen.showQr())).record.tracking_no
    const [revoked, declined, cancelled] = [await ask(), await ask(), await ask()]
    await citizen.accept(revoked)
    await citizen.accept(revoked)
    await citizen.revoke(revoked)
    await citizen.decline(declined)
    await partner.profiles.cancelAuthorization(cancelled)
    await partner.profiles.profileByQr(await citizen.showQr('share'))
    await partner.sso.signIn(await citizen.exchangeCode(partner.code))
    const received = await untilReceived(receiver, 6)
    expect(typesOf(received)).toEqual([
      'authorization.accepted',
      'authorization.cancelled',
      'authorization.declined',
      'authorization.revoked',
      'profile.viewed',
      'sso.authenticated',
    ])
    for (const { headers, body } of received) {
      const { event } = await verifyWebhook(body, headers, partner.credentials.webhook_secret)
      expect(Object.keys(event).toSorted()).toEqual(['data', 'timestamp', 'type'])
      expect(body.toString()).not.toMatch(
        new RegExp([citizen.uniqid, citizen.profile.last_name, citizen.profile.email].join('|')),
      )
    }
    const accepted = received.find(({ event }) => event.type === 'authorization.accepted')!.event
    expect(accepted.data).toEqual({ tracking_no: revoked, state: 'ACCEPTED', scope: 'PROFILE_INQUIRE' })
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(received.length)
    await receiver.close()
  })

  test('are sent when a request expires, without a request of the partner', async () => {
    const { receiver, partner, citizen } = await partnerWithReceiver(service)
    const { record } = await partner.profiles.requestAuthorization(await citizen.showQr())
    await service.advance(301)
    const [expired] = await untilReceived(receiver, 1)
    expect(expired!.event).toMatchObject({
      type: 'authorization.expired',
      data: { tracking_no: record.tracking_no, state: 'EXPIRED' },
    })
    await receiver.close()
  })

  test('are sent before a secret expires, once for each secret', async () => {
    const own = await startTestService({ TIWALA_SECRET_TTL_DAYS: '60' })
    const receiver = await startReceiver()
    await own.partner({ callback_url: receiver.url })
    await own.advance(29 * 86_400)
    expect(receiver.received).toEqual([])
    await own.advance(86_400 + 60)
    const received = await untilReceived(receiver, 2)
    await own.advance(86_400)
    const events = received.map(
      ({ event }) => event as Extract<WebhookEvent, { type: 'credential.expiring' }>,
    )
    expect(events.map(({ data }) => data.credential).toSorted()).toEqual(['partner_secret', 'secret_token'])
    expect(new Date(events[0]!.data.expires_at).toISOString()).toBe(events[0]!.data.expires_at)
    await own.close()
    await receiver.close()
    expect(received).toHaveLength(2)
  })

  test('have two signatures during a rotation of the secret, and one after the grace period', async () => {
    const { receiver, partner } = await partnerWithReceiver(service)
    const path = { partner_code: partner.code }
    const { body } = await service.operator('rotateWebhookSecret', { path, body: { grace_days: 7 } })
    await service.operator('testCallback', { path })
    const [during] = await untilReceived(receiver, 1)
    for (const secret of [partner.credentials.webhook_secret, body.webhook_secret])
      expect((await verifyWebhook(during!.body, during!.headers, secret)).event.type).toBe('webhook.test')
    await service.advance(7 * 86_400 + 1)
    await service.operator('testCallback', { path })
    const [, after] = await untilReceived(receiver, 2)
    expect((await verifyWebhook(after!.body, after!.headers, body.webhook_secret)).event.type).toBe(
      'webhook.test',
    )
    await expect(
      verifyWebhook(after!.body, after!.headers, partner.credentials.webhook_secret),
    ).rejects.toThrow('signature')
    await receiver.close()
  })

  test('are not sent to a suspended partner, and are sent when it is resumed in time', async () => {
    const { receiver, partner, citizen } = await partnerWithReceiver(service)
    const { record } = await partner.profiles.requestAuthorization(await citizen.showQr())
    const path = { partner_code: partner.code }
    await service.operator('suspendPartner', { path })
    await citizen.decline(record.tracking_no)
    await expect
      .poll(async () => (await lastDelivery(service, partner.code)).last_outcome, { timeout: 60_000 })
      .toBe('partner suspended')
    expect(receiver.received).toEqual([])
    await service.operator('resumePartner', { path })
    await service.advance(6)
    await untilReceived(receiver, 1)
    await receiver.close()
  })

  test('are not created for a partner without a callback URL', async () => {
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    const { record } = await partner.profiles.requestAuthorization(await citizen.showQr())
    await citizen.accept(record.tracking_no)
    expect(
      (await service.operator('listDeliveries', { query: { partner_code: partner.code } })).body.deliveries,
    ).toEqual([])
  })
})
