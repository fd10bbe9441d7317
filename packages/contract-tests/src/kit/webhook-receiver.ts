import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { WebhookEvent } from '@tiwala/contract'
import { expect } from 'vitest'
import { record } from '../contract-check/traffic.ts'
import { checkWebhook } from '../contract-check/webhooks.ts'
import type { TestService } from './test-service.ts'

export type Received = { headers: IncomingHttpHeaders; body: Buffer; event: WebhookEvent }
type Responder = (res: ServerResponse, received: Received) => void

export const respondWith =
  (code: number, headers: Record<string, string> = {}): Responder =>
  (res) =>
    void res.writeHead(code, headers).end()

/** The server of a partner. It checks each event, and sends the configured response, by default 204. */
export async function startReceiver(responder: Responder = (res) => void res.writeHead(204).end()) {
  const received: Received[] = []
  let respond = responder
  const server = createServer(async (req, res) => {
    const body = await buffer(req)
    const arrived = { headers: req.headers, body, event: JSON.parse(body.toString()) as WebhookEvent }
    record(checkWebhook(req.headers, body.toString()))
    received.push(arrived)
    respond(res, arrived)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    received,
    setResponse: (next: Responder) => void (respond = next),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
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
