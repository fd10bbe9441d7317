import { describe, expect, test } from 'vitest'
import { createCallbackClient } from '../kit/callback-client.ts'
import { refusal, startServiceForFile } from '../kit/test-service.ts'
import type { Partner } from '../kit/users.ts'

const service = await startServiceForFile()
const callbacks = createCallbackClient(service)

const DAY_SECONDS = 86_400

const rotate = async ({ code }: Partner, grace_days: number) =>
  (await service.operator('rotateWebhookSecret', { path: { partner_code: code }, body: { grace_days } })).body

describe('rotateWebhookSecret', () => {
  test('200: the new secret signs at once, the previous one until the grace period ends', async () => {
    const partner = await callbacks.reachable()
    const previous = partner.credentials.webhook_secret
    // Another partner whose secret is newer changes nothing.
    await service.partner()
    const { webhook_secret, previous_until } = await rotate(partner, 1)
    const secrets = [previous, webhook_secret]
    expect(new Set(secrets).size).toBe(2)
    const { occurred_at: now } = await callbacks.sendTest(partner)
    const graceSeconds = (Date.parse(previous_until!) - Date.parse(now)) / 1000
    expect([Math.floor(graceSeconds) >= DAY_SECONDS - 10, graceSeconds <= DAY_SECONDS]).toEqual([true, true])
    await service.advance(graceSeconds - 60)
    expect(await callbacks.signersOf(partner, secrets)).toEqual([webhook_secret, previous])
    await service.advance(60)
    expect(await callbacks.signersOf(partner, secrets)).toEqual([webhook_secret])
    expect(await service.dumpDatabase()).not.toContain(webhook_secret.replace(/^whsec_|=$/g, ''))
  })

  test('200: without a grace period all previous secrets end at once', async () => {
    const partner = await callbacks.reachable()
    const first = partner.credentials.webhook_secret
    const { webhook_secret: second } = await rotate(partner, 30)
    const { webhook_secret: third, previous_until } = await rotate(partner, 0)
    expect(previous_until).toBeNull()
    expect(await callbacks.signersOf(partner, [first, second, third])).toEqual([third])
  })

  test('200: the secrets of other partners are not changed', async () => {
    const [partner, other] = [await callbacks.reachable(), await callbacks.reachable()]
    await rotate(partner, 0)
    expect(await callbacks.signersOf(other, [other.credentials.webhook_secret])).toEqual([
      other.credentials.webhook_secret,
    ])
  })

  test.each([-1, 31, 1.5, '7', null])('422: a grace period of %s days', async (grace_days) => {
    const fields = (await refusal(rotate(await service.partner(), grace_days as number))).fields
    expect(Object.keys(fields)).toEqual(['grace_days'])
  })
})
