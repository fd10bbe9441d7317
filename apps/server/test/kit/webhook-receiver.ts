import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export type Arrival = { path: string; headers: IncomingHttpHeaders; body: Buffer; atMs: number }
type Respond = (res: ServerResponse, arrival: Arrival) => void
export type WebhookReceiver = Awaited<ReturnType<typeof startWebhookReceiver>>

/** A server for the endpoints of partners. */
export async function startWebhookServer(respond: Respond) {
  const server = createServer(async (req, res) => {
    const body = await buffer(req)
    respond(res, { path: req.url!, headers: req.headers, body, atMs: Date.now() })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const close = () =>
    new Promise<void>((resolve) => (server.close(() => resolve()), server.closeAllConnections()))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Like `startWebhookServer`. It stores every event, and by default responds with 204. */
export async function startWebhookReceiver(respond: Respond = (res) => void res.writeHead(204).end()) {
  const arrivals: Arrival[] = []
  const arrivalsOfEvent = new Map<string, Arrival[]>()
  const server = await startWebhookServer((res, arrival) => {
    const id = String(arrival.headers['webhook-id'])
    arrivals.push(arrival)
    arrivalsOfEvent.set(id, [...(arrivalsOfEvent.get(id) ?? []), arrival])
    respond(res, arrival)
  })
  return {
    ...server,
    arrivals,
    /** The arrivals of each event, by its `webhook-id`. */
    arrivalsOfEvent,
  }
}
