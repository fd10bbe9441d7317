import { type Agent, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { retryAfterSecondsOf } from '@tiwala/transport/retry-after'
import { AddressNotAllowed, type ConnectionOptions, openConnections, TooManyBytes } from './connections.ts'

/** From the look-up of the name to the end of the response. */
const TIMEOUT_MS = 15_000
/** The rest of a response may take this long after its status is known. */
const BODY_TIMEOUT_MS = 1_000
const MAX_BODY_BYTES = 4 * 1024
/** Of each response, also of interim ones. `connections.ts` limits all together. */
const MAX_HEADER_BYTES = 64 * 1024
const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]'])
/** The error codes of a request over a reused connection that the server has closed meanwhile. */
const CLOSED = new Set(['ECONNRESET', 'EPIPE'])

/** Aborting `signal` ends the attempt; its outcome is then unknown. */
export type SendRequest = { url: string; headers: Record<string, string>; body: string; signal: AbortSignal }
export type SendResult = { status: number; retryAfterSeconds: number | undefined } | { failure: string }
export type Sender = { send(request: SendRequest): Promise<SendResult>; close(): void }

/**
 * Posts events. Guarded against requests to internal addresses (SSRF): `https`, no credentials, every address
 * that the name resolves to is checked and the connection goes to the checked one, no redirect is followed,
 * no proxy is used, and little more than the status of the response is read. Everything that an attempt needs
 * of the other side is bounded, in seconds and in bytes, from its first look-up on: name servers, connection,
 * TLS, interim responses, headers, body, trailers, and what arrives on the kept connection. `timeoutMs` is
 * shorter in tests.
 */
export function createSender({
  timeoutMs = TIMEOUT_MS,
  ...options
}: ConnectionOptions & { timeoutMs?: number }): Sender {
  const { isAllowedHost, kept, fresh, close } = openConnections(options)

  async function send(request: SendRequest): Promise<SendResult> {
    const url = URL.parse(request.url)
    const isHttp = url?.protocol === 'http:' && options.allowLoopback && LOOPBACK_NAMES.has(url.hostname)
    if (!url || (url.protocol !== 'https:' && !isHttp) || url.username || url.password)
      return { failure: 'address not allowed' }
    if (!isAllowedHost(url.hostname)) return { failure: 'address not allowed' }
    const protocol = isHttp ? 'http:' : 'https:'
    const timeout = AbortSignal.timeout(timeoutMs)
    const signal = AbortSignal.any([request.signal, timeout])
    try {
      const result = await post(url, { ...request, signal, agent: kept[protocol] })
      // A server may close an idle connection just when it is reused. That is no failure of the endpoint: use
      // a new connection.
      return (
        result ??
        (await post(url, { ...request, signal, agent: fresh[protocol] })) ?? { failure: 'connection closed' }
      )
    } catch (error) {
      request.signal.throwIfAborted()
      return { failure: timeout.aborted ? 'time-out' : failureOf(error) }
    }
  }

  return { send, close }
}

class CertificateNotValid extends Error {}

/** The outcomes of `Delivery.last_outcome` without a status. */
function failureOf(error: unknown): string {
  if (error instanceof AddressNotAllowed) return 'address not allowed'
  if (error instanceof CertificateNotValid) return 'certificate not valid'
  // With several addresses, Node throws one error that holds the error of each.
  const {
    code = '',
    syscall,
    errors = [],
  } = error as NodeJS.ErrnoException & { errors?: NodeJS.ErrnoException[] }
  if (syscall === 'getaddrinfo' || syscall?.startsWith('query')) return 'host not found'
  if ([{ code }, ...errors].some((each) => each.code === 'ECONNREFUSED')) return 'connection refused'
  if (code === 'ETIMEDOUT') return 'time-out'
  if (CLOSED.has(code)) return 'connection closed'
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) return 'TLS failed'
  if (error instanceof TooManyBytes || code === 'HPE_HEADER_OVERFLOW') return 'headers too large'
  return code.startsWith('HPE_') ? 'not HTTP' : 'no connection'
}

/**
 * Resolves when the response has ended or was cut off. `undefined`: the server had closed the reused
 * connection.
 */
function post(
  url: URL,
  { headers, body, signal, agent }: SendRequest & { agent: Agent },
): Promise<SendResult | undefined> {
  return new Promise((resolve, reject) => {
    let result: SendResult | undefined
    const outgoing = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      agent,
      signal,
      method: 'POST',
      maxHeaderSize: MAX_HEADER_BYTES,
      headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
    })
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      if (result) return
      if (outgoing.reusedSocket && CLOSED.has(error.code ?? '')) resolve(undefined)
      // The TLS socket keeps why it did not accept the certificate; the error has one of many codes.
      else
        reject((outgoing.socket as TLSSocket | null)?.authorizationError ? new CertificateNotValid() : error)
    })
    // A switch to another protocol ends without a response and without an error.
    outgoing.on('close', () =>
      result ? resolve(result) : reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })),
    )
    outgoing.on('response', (response) => {
      const header = (name: string) => String(response.headers[name] ?? '')
      result = { status: response.statusCode!, retryAfterSeconds: retryAfterSecondsOf({ get: header }) }
      let readBytes = 0
      const cutOff = setTimeout(() => response.destroy(), BODY_TIMEOUT_MS)
      response.on('error', () => {})
      response.on('close', () => clearTimeout(cutOff))
      response.on('data', (chunk: Buffer) => {
        readBytes += chunk.length
        if (readBytes > MAX_BODY_BYTES) response.destroy()
      })
    })
    outgoing.end(body)
  })
}
