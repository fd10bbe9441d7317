// An HTTP server with its limits.
import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Express } from 'express'
import type { Config } from '../../config.ts'
import { toOriginForm } from '../pipeline/host.ts'
import { createExpressPrototypes } from './express-prototypes.ts'
import { rejectUnreadable } from './reject-unreadable.ts'
import { limitUnreadBody } from './unread-bodies.ts'
import { closeUnread } from './unread-responses.ts'

const HTTP_LIMITS = {
  maxHeaderSize: 8 * 1024,
  requestTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  // Node would send an empty body for a request without `Host`. `requireHost` sends the documented error
  // instead.
  requireHostHeader: false,
}

const UNREAD_TIMEOUT_MS = 60_000

export function createHttpServer(
  app: Express,
  { maxWaiting, publicUrl, keepAliveSeconds }: Config,
  isDraining = () => false,
): Server {
  const limits = { ...HTTP_LIMITS, keepAliveTimeout: keepAliveSeconds * 1_000 }
  const server = createServer({ ...limits, ...createExpressPrototypes(app, isDraining) }, app)
  // Connections of waiting requests, as many idle connections, and 1,000 for short requests. Node closes
  // further ones, which limits the memory. Idle ones must not keep clients out.
  server.maxConnections = 2 * maxWaiting + 1_000
  server.on('drop', () => server.closeIdleConnections())
  closeUnread(server, UNREAD_TIMEOUT_MS)
  server.prependListener('request', toOriginForm)
  server.prependListener('request', limitUnreadBody)
  server.on('clientError', (error, socket: Socket) =>
    rejectUnreadable(error, socket, { publicUrl, requestTimeoutMs: server.requestTimeout }),
  )
  // Ignore `Expect` with another value than `100-continue` (RFC 9110, section 10.1.1). Node would send 417
  // without a body.
  server.on('checkExpectation', (req, res) => server.emit('request', req, res))
  return server
}
