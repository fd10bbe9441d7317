import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Crowd, type Member } from './in-flight-requests.ts'

const DEADLINE_MS = 10_000

export type Drain = { isDraining(): boolean; announce(forMs: number): Promise<void>; drain(): Promise<void> }

/**
 * How a server ends. First it is announced for a while: not ready, and each answer says that its connection closes, so that callers and
 * balancers go elsewhere before the next request would be cut off. Then nobody new is let in, and what is under way is answered; who does
 * not read its answer is cut off.
 */
export function prepareDrain(server: Server): Drain {
  const answering = new Crowd<Member & { response: ServerResponse }>()
  /** Connections that have sent no request yet. Node does not count them as idle. */
  const unused = new Set<Socket>()
  let isDraining = false
  let isClosing = false
  const announceEnd = ({ response }: { response: ServerResponse }) => {
    if (!response.headersSent) response.setHeader('Connection', 'close')
  }
  server.on('connection', (socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  server.prependListener('request', ({ socket }, response: ServerResponse) => {
    unused.delete(socket)
    const answer = { response }
    if (isDraining) announceEnd(answer)
    answering.add(answer)
    response.once('close', () => {
      answering.delete(answer)
      // A stream began before anybody knew of the end, and could not announce it.
      if (isClosing) server.closeIdleConnections()
    })
  })
  return {
    isDraining: () => isDraining,
    announce: async (forMs) => {
      isDraining = true
      answering.members().forEach(announceEnd)
      if (forMs > 0) await sleep(forMs)
    },
    drain: async () => {
      isClosing = true
      const deadline = setTimeout(() => server.closeAllConnections(), DEADLINE_MS)
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeIdleConnections()
        for (const socket of unused) socket.destroy()
      })
      clearTimeout(deadline)
    },
  }
}
