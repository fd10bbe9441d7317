import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export type Arrival = { path: string; body: string; atMs: number }
export type WebhookReceiver = Awaited<ReturnType<typeof startWebhookReceiver>>

/** A server for the endpoints of all partners. It accepts every event and stores it by `webhook-id`. */
export async function startWebhookReceiver() {
  const arrivals = new Map<string, Arrival[]>()
  let total = 0
  const server = createServer(async (req, res) => {
    const id = String(req.headers['webhook-id'])
    const body = (await buffer(req)).toString()
    arrivals.set(id, [...(arrivals.get(id) ?? []), { path: req.url!, body, atMs: Date.now() }])
    total++
    res.writeHead(204).end()
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivals,
    duplicates: () => total - arrivals.size,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => (server.close(() => resolve()), server.closeAllConnections())),
  }
}
