import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export type Arrival = { path: string; headers: IncomingHttpHeaders; body: Buffer; atMs: number }
export type WebhookReceiver = Awaited<ReturnType<typeof startWebhookReceiver>>

/** A server for the endpoints of partners. It stores every event. `respond` responds, by default with 204. */
export async function startWebhookReceiver(
  respond = (res: ServerResponse, _arrival: Arrival) => void res.writeHead(204).end(),
) {
  const arrivals: Arrival[] = []
  const arrivalsOfEvent = new Map<string, Arrival[]>()
  const server = createServer(async (req, res) => {
    const body = await buffer(req)
    const arrival = { path: req.url!, headers: req.headers, body, atMs: Date.now() }
    const id = String(req.headers['webhook-id'])
    arrivals.push(arrival)
    arrivalsOfEvent.set(id, [...(arrivalsOfEvent.get(id) ?? []), arrival])
    respond(res, arrival)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const close = () =>
    new Promise<void>((resolve) => (server.close(() => resolve()), server.closeAllConnections()))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivals,
    /** The arrivals of each event, by its `webhook-id`. */
    arrivalsOfEvent,
    close,
    [Symbol.asyncDispose]: close,
  }
}
