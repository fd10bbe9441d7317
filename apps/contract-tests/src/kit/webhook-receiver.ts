import type { ServerResponse } from 'node:http'
import type { WebhookEvent } from '@tiwala/contract'
import { type Arrival, startWebhookReceiver } from '@tiwala/server/testing-receiver'
import { expect } from 'vitest'
import { record } from '../contract-check/traffic.ts'
import { checkWebhook } from '../contract-check/webhooks.ts'
import type { TestService } from './test-service.ts'

export type Received = Arrival & { event: WebhookEvent }
type Responder = (res: ServerResponse, received: Received) => void

export const respondWith =
  (code: number, headers: Record<string, string> = {}): Responder =>
  (res) =>
    void res.writeHead(code, headers).end()

/** The server of a partner. It checks each event, and sends the configured response, by default 204. */
export async function startReceiver(responder = respondWith(204)) {
  const received: Received[] = []
  let respond = responder
  const { url, close } = await startWebhookReceiver((res, arrival) => {
    const text = String(arrival.body)
    record(checkWebhook(arrival.headers, text))
    const checked = { ...arrival, event: JSON.parse(text) as WebhookEvent }
    received.push(checked)
    respond(res, checked)
  })
  return {
    url: `${url}/callback`,
    received,
    setResponse: (next: Responder) => void (respond = next),
    close,
  }
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** A partner with a server that receives its events, and a citizen. */
export async function partnerWithReceiver(service: TestService, responder?: Responder) {
  const receiver = await startReceiver(responder)
  const partner = await service.partner({ callback_url: receiver.url })
  return { receiver, partner, citizen: await service.citizen() }
}

export async function untilReceived({ received }: Receiver, count: number): Promise<Received[]> {
  await expect.poll(() => received.length, { timeout: 60_000, interval: 10 }).toBeGreaterThanOrEqual(count)
  return received
}

/** The newest delivery of a partner. */
export const lastDelivery = async (service: TestService, partnerCode: string) =>
  (await service.operator('listDeliveries', { query: { partner_code: partnerCode } })).body.deliveries[0]!
