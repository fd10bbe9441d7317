// How a server stops without losing a request (graceful shutdown).
//
// States:
// - serving: connections are kept alive.
// - draining (`announce`): `isDraining` is true, so `/readyz` is 503. The server still accepts connections
//   and requests, and each response has `Connection: close`. Clients and load balancers go elsewhere before
//   the server closes anything.
// - closing (`drain`): the server accepts no connection. It closes idle and unused connections, and sends the
//   responses to the requests in flight. After 10 seconds it destroys the connections that are left, for
//   example those of clients that do not read their response.
//
// Example: SIGTERM with a drain of 1.5 s. A request that arrives after 1 s gets its response with
// `Connection: close`. At 1.5 s the listening socket closes; a request that runs then has 10 s to finish.
//
// Guarantee: a request that the server has read is cut off only if it runs for more than 10 s after the
// closing began.
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type InFlightRequest, InFlightRequests } from './in-flight-requests.ts'

const CLOSE_WITHIN_MS = 10_000

export type Drain = {
  isDraining(): boolean
  announce(durationMs: number): Promise<void>
  drain(): Promise<void>
}

export function prepareDrain(server: Server): Drain {
  const inFlight = new InFlightRequests<InFlightRequest & { response: ServerResponse }>()
  /** Connections without a request so far. Node does not count them as idle. */
  const unused = new Set<Socket>()
  let isDraining = false
  let isClosing = false
  const announceClose = ({ response }: { response: ServerResponse }) => {
    if (!response.headersSent) response.setHeader('Connection', 'close')
  }
  server.on('connection', (socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  server.prependListener('request', ({ socket }, response: ServerResponse) => {
    unused.delete(socket)
    const request = { response }
    if (isDraining) announceClose(request)
    inFlight.add(request)
    response.once('close', () => {
      inFlight.delete(request)
      // The headers of a stream may have been sent before the drain, without `Connection: close`.
      if (isClosing) server.closeIdleConnections()
    })
  })
  return {
    isDraining: () => isDraining,
    announce: async (durationMs) => {
      isDraining = true
      inFlight.toArray().forEach(announceClose)
      if (durationMs > 0) await sleep(durationMs)
    },
    drain: async () => {
      isClosing = true
      const deadline = setTimeout(() => server.closeAllConnections(), CLOSE_WITHIN_MS)
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeIdleConnections()
        for (const socket of unused) socket.destroy()
      })
      clearTimeout(deadline)
    },
  }
}
