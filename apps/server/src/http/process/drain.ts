// How a server stops without losing a request (graceful shutdown).
//
// States:
// - serving: connections are kept alive.
// - draining (`announce`): `isDraining` is true, so `/readyz` is 503. The server still accepts connections
//   and requests, and each response has `Connection: close` (`express-prototypes.ts`). Clients and load
//   balancers go elsewhere before the server closes anything.
// - closing (`drain`): the server accepts no connection. It closes idle connections, and sends the responses
//   to the requests in flight. After 1 second it destroys the connections that have sent no request, and
//   after 10 seconds all that are left, for example those of clients that do not read their response.
//
// When a listening socket closes, the kernel resets the connections that wait in its backlog, also where other
// processes share the port (`TIWALA_REUSE_PORT`). So it closes at a moment when the backlog was just seen to
// be empty. Linux 5.14 and later gives such connections to the other processes with
// `net.ipv4.tcp_migrate_req=1`.
//
// Example: SIGTERM with a drain of 1.5 s. A request that arrives after 1 s gets its response with
// `Connection: close`. At 1.5 s the listening socket closes; a request that runs then has 10 s to finish.
//
// Guarantee: a request that the server has read is cut off only if it runs for more than 10 s after the
// closing began.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const UNUSED_WITHIN_MS = 1_000
const CLOSE_WITHIN_MS = 10_000
/** Longer than a whole stop takes after the drain. A supervisor must wait longer before it kills. */
export const MAX_STOP_MS = 20_000
/** An event loop with nothing to do takes a twentieth of this for a turn. */
const EMPTY_TURN_MS = 0.1
const MAX_TURNS = 10_000

export type Drain = {
  isDraining(): boolean
  announce(durationMs: number): Promise<void>
  drain(): Promise<void>
}

export function prepareDrain(server: Server): Drain {
  /** Connections without a request so far. Node does not count them as idle. */
  const unused = new Set<Socket>()
  let isDraining = false
  let isClosing = false
  let accepted = 0
  // The headers of a stream may have been sent before the drain, without `Connection: close`.
  const onResponseClose = () => {
    if (isClosing) server.closeIdleConnections()
  }
  server.on('connection', (socket) => {
    accepted++
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  server.prependListener('request', ({ socket }, response) => {
    unused.delete(socket)
    response.once('close', onResponseClose)
  })
  return {
    isDraining: () => isDraining,
    announce: async (durationMs) => {
      isDraining = true
      if (durationMs > 0) await sleep(durationMs)
    },
    drain: async () => {
      isClosing = true
      await waitForEmptyTurn(() => accepted)
      server.closeIdleConnections()
      // `close` would end these first, and connections could arrive in the backlog meanwhile.
      await waitForEmptyTurn(() => accepted)
      const deadlines = [
        setTimeout(() => unused.forEach((socket) => socket.destroy()), UNUSED_WITHIN_MS),
        setTimeout(() => server.closeAllConnections(), CLOSE_WITHIN_MS),
      ]
      await new Promise<void>((resolve) => void server.close(() => resolve()))
      deadlines.forEach(clearTimeout)
    },
  }
}

/**
 * Resolves right after a turn of the event loop that found nothing to do. So no connection waited in the
 * backlog, and an idle connection had sent nothing.
 */
async function waitForEmptyTurn(accepted: () => number): Promise<void> {
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    const [startedAtMs, before] = [performance.now(), accepted()]
    await new Promise(setImmediate)
    if (accepted() === before && performance.now() - startedAtMs < EMPTY_TURN_MS) return
  }
}
