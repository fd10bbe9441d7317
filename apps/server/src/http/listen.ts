// The HTTP servers: their limits, and the addresses at which they listen.
import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Express } from 'express'
import type { Config, Listener } from '../config.ts'
import { createExpressPrototypes } from './express-prototypes.ts'
import { toOriginForm } from './host.ts'
import { rejectUnreadable } from './reject-unreadable.ts'

const HTTP_LIMITS = {
  maxHeaderSize: 8 * 1024,
  headersTimeout: 5_000,
  requestTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  // Longer than proxies keep idle connections. Otherwise a proxy may send a request while the server closes
  // the connection.
  keepAliveTimeout: 65_000,
  // Node would send an empty body for a request without `Host`. `requireHost` sends the documented error
  // instead.
  requireHostHeader: false,
}

export function createHttpServer(app: Express, { maxWaiting, publicUrl }: Config): Server {
  const server = createServer({ ...HTTP_LIMITS, ...createExpressPrototypes(app) }, app)
  // Connections of waiting requests, as many idle connections, and 1,000 for short requests. Node closes
  // further ones, which limits the memory.
  server.maxConnections = 2 * maxWaiting + 1_000
  server.prependListener('request', toOriginForm)
  server.on('clientError', (error, socket: Socket) => rejectUnreadable(error, socket, publicUrl))
  // Ignore `Expect` with another value than `100-continue` (RFC 9110, section 10.1.1). Node would send 417
  // without a body.
  server.on('checkExpectation', (req, res) => server.emit('request', req, res))
  return server
}

/** Listens on every address, or on none. */
export async function listen(servers: Server[], { listeners }: Config): Promise<void> {
  try {
    for (const [index, server] of servers.entries()) await listenAt(server, listeners[index]!)
  } catch (error) {
    for (const server of servers) server.close()
    throw error
  }
}

function listenAt(server: Server, { host, port, setting }: Listener): Promise<void> {
  const example = setting === 'PORT' ? 'PORT=8081' : `${setting}=127.0.0.1:8082`
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new Error(`Port ${port} is in use. Stop what listens there, or choose another: ${example}`, {
              cause: error,
            })
          : new Error(`Cannot listen at ${host}, port ${port} (see ${setting}).`, { cause: error }),
      ),
    )
    server.listen(port, host, () => resolve())
  })
}
