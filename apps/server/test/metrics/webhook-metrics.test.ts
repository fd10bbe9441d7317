// The metrics of deliveries.
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { createApiClient, startServiceWithOperatorAddress } from '../kit/api-client.ts'
import { watchMetrics } from '../kit/scrape-metrics.ts'
import { startWebhookReceiver } from '../kit/webhook-receiver.ts'

const { service, api, operatorOrigin } = await startServiceWithOperatorAddress()
const operator = await createApiClient(operatorOrigin, api)
const watch = (...lines: string[]) => watchMetrics(operatorOrigin, lines)

test('deliveries: attempts by outcome, the lag of the first attempt, and dead letters', async () => {
  const statuses = [204, 503, 410]
  await using receiver = await startWebhookReceiver(
    (res) => void res.writeHead(statuses.shift() ?? 204).end(),
  )
  const { partner_code } = api.partner
  const path = { partner_code }
  const setCallback = (callback_url: string) =>
    operator.send('setCallback', { headers: api.asOperator, path, json: { callback_url } })
  const sendEvent = () => operator.send('testCallback', { headers: api.asOperator, path })
  await setCallback(receiver.url)
  const differences = await watch(
    'tiwala_webhook_attempts_total{outcome="2xx"}',
    'tiwala_webhook_attempts_total{outcome="5xx"}',
    'tiwala_webhook_attempts_total{outcome="4xx"}',
    'tiwala_webhook_lag_seconds_count',
    'tiwala_webhook_dead_letters_total',
    'tiwala_webhook_events{status="DEAD"}',
    'tiwala_webhook_events{status="PENDING"}',
  )
  await sendEvent()
  await expect.poll(differences).toEqual([1, 0, 0, 1, 0, 0, 0])
  await sendEvent()
  await expect.poll(async () => (await differences())[1]).toBe(1)
  // The second attempt: no further lag, and the endpoint wants no more events.
  await service.advance(10)
  await expect.poll(differences).toEqual([1, 1, 1, 2, 1, 1, 0])
})

test('an attempt that a replay overtook decides nothing: no dead letter, no third attempt, no disabled endpoint', async () => {
  const responses: ServerResponse[] = []
  await using receiver = await startWebhookReceiver((res) => void responses.push(res))
  const { partner_code } = api.partner
  const options = { headers: api.asOperator, path: { partner_code } }
  await operator.send('setCallback', { ...options, json: { callback_url: receiver.url } })
  const differences = await watch(
    'tiwala_webhook_attempts_total{outcome="4xx"}',
    'tiwala_webhook_attempts_total{outcome="2xx"}',
    'tiwala_webhook_dead_letters_total',
  )
  await operator.send('testCallback', options)
  await expect.poll(() => responses.length).toBe(1)
  const webhook_id = String(receiver.arrivals[0]!.headers['webhook-id'])
  await operator.send('replayDelivery', { headers: api.asOperator, path: { webhook_id } })
  await expect.poll(() => responses.length).toBe(2)
  responses[0]!.writeHead(410).end()
  await expect.poll(differences).toEqual([1, 0, 0])
  responses[1]!.writeHead(204).end()
  await expect.poll(differences).toEqual([1, 1, 0])
  await service.advance(10)
  const { body } = await operator.operator('listDeliveries', { query: { partner_code } })
  expect(body.deliveries[0]).toMatchObject({ webhook_id, status: 'DELIVERED', attempts: 1 })
  await operator.send('testCallback', options)
  await expect.poll(() => responses.length).toBe(3)
  expect(receiver.arrivalsOfEvent.get(webhook_id)).toHaveLength(2)
  responses[2]!.writeHead(204).end()
})
