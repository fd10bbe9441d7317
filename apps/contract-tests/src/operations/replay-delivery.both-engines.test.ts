import { describe, expect, test } from 'vitest'
import { createCallbackClient } from '../kit/callback-client.ts'
import { startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile()
const callbacks = createCallbackClient(service)

describe('replayDelivery', () => {
  test('200: a delivered event is sent again with the same id', async () => {
    const partner = await callbacks.reachable()
    const { webhook_id } = await callbacks.sendTest(partner)
    const delivered = await callbacks.untilDelivery(partner, ({ status }) => status === 'DELIVERED')
    const again = await callbacks.replay(webhook_id)
    expect(again).toEqual({
      ...delivered,
      status: 'PENDING',
      attempts: 0,
      next_attempt_at: expect.any(String),
      delivered_at: null,
    })
    const { body } = await callbacks.untilArrived(webhook_id, 2)
    expect(JSON.parse(body)).toMatchObject({ type: 'webhook.test', timestamp: delivered.occurred_at })
    expect(await callbacks.untilDelivery(partner, ({ status }) => status === 'DELIVERED')).toMatchObject({
      webhook_id,
      attempts: 1,
    })
  })

  test('200: a pending event is sent immediately', async () => {
    const partner = await service.partner()
    const { webhook_id, last_outcome } = await callbacks.failingDelivery(partner)
    await callbacks.setUrl(partner, callbacks.inbox)
    expect(await callbacks.replay(webhook_id)).toMatchObject({ status: 'PENDING', attempts: 0, last_outcome })
    expect((await callbacks.untilArrived(webhook_id)).attempts).toBe(1)
  })

  test('200: a dead event starts again with its first attempt', async () => {
    const partner = await service.partner()
    const { webhook_id, next_attempt_at } = await callbacks.deadDelivery(partner)
    expect(next_attempt_at).toBeNull()
    await callbacks.setUrl(partner, callbacks.inbox)
    expect(await callbacks.replay(webhook_id)).toMatchObject({ status: 'PENDING', attempts: 0 })
    await callbacks.untilArrived(webhook_id)
  })
})
