import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Failure } from '../../failure.ts'
import { mintRequestId } from '../../secrets/tokens.ts'
import { continueTrace } from '../pipeline/trace-context.ts'

/** The time in which the client can read the response. */
const LINGER_MS = 300

/** `_httpMessage` is Node's own field: the response that the client of this connection reads next. */
type HttpSocket = Socket & { _httpMessage?: ServerResponse | null }

/**
 * Responds in the documented error form if Node cannot parse a request (`clientError`). When a complete
 * request came before it on the connection, its response comes first, since the client would take the refusal
 * for it, and then the connection is closed.
 */
export function rejectUnreadable(
  error: NodeJS.ErrnoException,
  socket: HttpSocket,
  { publicUrl, requestTimeoutMs }: { publicUrl: string; requestTimeoutMs: number },
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const { _httpMessage: next } = socket
  if (next?.req.complete) return closeAfter(next, socket)
  // Browsers and proxies open connections in advance, and would read this response as that of their first
  // request.
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0) return void socket.destroy()
  const messages: Record<string, string> = {
    HPE_HEADER_OVERFLOW: 'The headers are larger than 8 KiB',
    ERR_HTTP_REQUEST_TIMEOUT: `The request did not arrive within ${requestTimeoutMs / 1_000} seconds`,
  }
  const message = messages[error.code ?? ''] ?? 'The request is not valid HTTP'
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

function closeAfter(response: ServerResponse, socket: Socket): void {
  if (response.headersSent) response.once('finish', () => socket.destroySoon())
  else response.setHeader('Connection', 'close')
}
