import { createServer, type AddressInfo, type Socket } from 'node:net'

export type ConnectionCounter = AsyncDisposable & { port: number; connections(): number; open(): number }

/**
 * Listens on every IPv4 and IPv6 address of this machine, counts connections, and runs `respond` for each.
 */
export async function startConnectionCounter(
  respond: (socket: Socket) => void = (socket) => socket.destroy(),
): Promise<ConnectionCounter> {
  let connections = 0
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    connections++
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)))
    respond(socket)
  })
  await new Promise<void>((resolve) => void server.listen(0, resolve))
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    open: () => sockets.size,
    [Symbol.asyncDispose]: async () => {
      sockets.forEach((socket) => socket.destroy())
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
