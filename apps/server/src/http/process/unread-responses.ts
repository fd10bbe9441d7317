import type { Server } from 'node:http'
import type { Socket } from 'node:net'

const CHECKS = 4

/**
 * Destroys a connection whose client does not read. Its response, or event stream, would stay open for ever, with
 * all that it holds. A connection may have unsent bytes for `timeoutMs`; slow clients need less, since the kernel
 * takes some megabytes of a response.
 */
export function closeUnread(server: Server, timeoutMs: number): void {
  /** At how many of the last checks each connection had unsent bytes. */
  const unsentChecks = new Map<Socket, number>()
  server.on('connection', (socket) => {
    unsentChecks.set(socket, 0)
    socket.once('close', () => unsentChecks.delete(socket))
  })
  const check = () => {
    for (const [socket, checks] of unsentChecks) {
      if (socket.writableLength > 0 && checks === CHECKS) socket.destroy()
      else unsentChecks.set(socket, socket.writableLength > 0 ? checks + 1 : 0)
    }
  }
  setInterval(check, timeoutMs / CHECKS).unref()
}
