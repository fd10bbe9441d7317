import type { Socket } from 'node:net'
import { Failure } from '../failure.ts'
import { mintRequestId } from '../secrets/tokens.ts'

/** Time to read the answer. */
const LINGER_MS = 300

/** Answers what Node cannot read as HTTP at all (`clientError`), in the one error shape. */
export function rejectUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  // Browsers and proxies open connections ahead: an answer that nobody asked for would be read as that of the next request.
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0) return void socket.destroy()
  const message = error.code === 'HPE_HEADER_OVERFLOW' ? 'The headers are larger than 8 KiB' : 'This is not readable HTTP'
  const requestId = mintRequestId()
  const failure = new Failure('malformed_request', { message })
  const body = JSON.stringify(failure.toBody(requestId))
  const head = [
    `HTTP/1.1 ${failure.status} Bad Request`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ]
  // Whoever does not close their side, too, would keep the connection.
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
