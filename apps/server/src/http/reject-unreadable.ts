import type { Socket } from 'node:net'
import { Failure } from '../failure.ts'
import { mintRequestId } from '../secrets/tokens.ts'
import { continueTrace } from './trace-context.ts'

/** The time in which the client can read the response. */
const LINGER_MS = 300

/** Responds in the documented error form if Node cannot parse the request as HTTP (`clientError`). */
export function rejectUnreadable(error: NodeJS.ErrnoException, socket: Socket, publicUrl: string): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  // Browsers and proxies open connections in advance, and would read this response as that of their first
  // request.
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0) return void socket.destroy()
  const message =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? 'The headers are larger than 8 KiB'
      : 'The request is not valid HTTP'
  const requestId = mintRequestId()
  const failure = new Failure('malformed_request', { message })
  const body = JSON.stringify(failure.toBody(requestId))
  const head = [
    `HTTP/1.1 ${failure.status} Bad Request`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    `traceparent: ${continueTrace(undefined).traceparent}`,
    ...Object.entries(failure.toHeaders(publicUrl)).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ]
  // Otherwise a client that does not close its side would keep the connection open.
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
