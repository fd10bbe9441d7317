import { describe, expect, test } from 'vitest'
import { createCallbackClient } from '../kit/callback-client.ts'
import { refusal, startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile()
const callbacks = createCallbackClient(service)

describe('testCallback', () => {
  test('200: the delivery is pending, and is delivered a moment later', async () => {
    const partner = await callbacks.reachable()
    const delivery = await callbacks.sendTest(partner)
    const { webhook_id, occurred_at } = delivery
    const created = {
      webhook_id,
      partner_code: partner.code,
      partner_name: (await partner.read()).name,
      type: 'webhook.test',
      tracking_no: null,
      occurred_at,
    }
    expect(delivery).toEqual({
      ...created,
      status: 'PENDING',
      attempts: 0,
      last_attempt_at: null,
      last_outcome: null,
      next_attempt_at: expect.any(String),
      delivered_at: null,
    })
    const { body } = await callbacks.untilArrived(webhook_id)
    expect(JSON.parse(body)).toEqual({
      type: 'webhook.test',
      timestamp: occurred_at,
      data: { is_test: true },
    })
    expect(await callbacks.untilDelivery(partner, ({ status }) => status === 'DELIVERED')).toEqual({
      ...created,
      status: 'DELIVERED',
      attempts: 1,
      last_attempt_at: expect.any(String),
      last_outcome: 'HTTP 204',
      next_attempt_at: null,
      delivered_at: expect.any(String),
    })
  })

  test('422: a partner without a callback URL; no event is created', async () => {
    const partner = await service.partner()
    expect(await refusal(callbacks.sendTest(partner))).toMatchObject({
      code: 'validation_failed',
      fields: { callback_url: ['is not set for this partner'] },
    })
    expect(await callbacks.idsOf({ partner_code: partner.code })).toEqual([])
  })
})
