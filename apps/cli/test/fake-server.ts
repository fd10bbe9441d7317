import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Starts an HTTP server that is not the service. It responds to every request with this status, and
 * to `/readyz` with `readiness`.
 */
export async function startFakeServer(
  status: number,
  readiness?: object | null,
): Promise<{ url: string; close: () => void }> {
  const server = createServer(({ url }, res) => {
    if (url === '/readyz' && readiness !== undefined) res.writeHead(status).end(JSON.stringify(readiness))
    else res.writeHead(status, { 'Content-Type': 'text/html' }).end('<h1>Not the service</h1>')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => void server.close(),
  }
}
