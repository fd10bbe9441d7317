import { type Agent, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { AddressNotAllowed, type ConnectionOptions, openConnections } from './connections.ts'

const TIMEOUT_MS = 15_000
/** How long the rest of a response may take once its status is known. */
const BODY_TIMEOUT_MS = 1_000
const MOST_READ_BYTES = 4 * 1024
const MOST_HEADER_BYTES = 8 * 1024
const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]'])
/** Errors of a request over a reused connection that the other side has closed meanwhile. */
const CLOSED = new Set(['ECONNRESET', 'EPIPE'])

/** `signal` ends the attempt from outside: its outcome is then unknown. */
export type Sending = { url: string; headers: Record<string, string>; body: string; signal: AbortSignal }
export type Sent = { status: number; retryAfterSeconds: number | undefined } | { failure: string }
export type Sender = { send(sending: Sending): Promise<Sent>; close(): void }

/**
 * Posts events. Guarded against requests to internal addresses (SSRF): `https`, no credentials, every address that the name resolves to
 * is checked and the connection goes to the checked one, no redirect is followed, no proxy is used, and little more than the status of
 * the response is read. `timeoutMs` is shorter in tests.
 */
export function createSender({ timeoutMs = TIMEOUT_MS, ...options }: ConnectionOptions & { timeoutMs?: number }): Sender {
  const { isAllowedHost, kept, fresh, close } = openConnections(options)

  async function send(sending: Sending): Promise<Sent> {
    const url = URL.parse(sending.url)
    const isHttp = url?.protocol === 'http:' && options.allowLoopback && LOOPBACK_NAMES.has(url.hostname)
    if (!url || (url.protocol !== 'https:' && !isHttp) || url.username || url.password) return { failure: 'address not allowed' }
    if (!isAllowedHost(url.hostname)) return { failure: 'address not allowed' }
    const protocol = isHttp ? 'http:' : 'https:'
    const timeout = AbortSignal.timeout(timeoutMs)
    const signal = AbortSignal.any([sending.signal, timeout])
    try {
      const sent = await post(url, { ...sending, signal, agent: kept[protocol] })
      // The other side may close an idle connection at the moment at which it is used again: that says nothing about the endpoint.
      return sent ?? (await post(url, { ...sending, signal, agent: fresh[protocol] })) ?? { failure: 'no connection' }
    } catch (error) {
      sending.signal.throwIfAborted()
      return { failure: timeout.aborted ? 'time-out' : reasonOf(error) }
    }
  }

  return { send, close }
}

const reasonOf = (error: unknown): string => (error instanceof AddressNotAllowed ? 'address not allowed' : 'no connection')

/** Resolves when the response has ended or was cut off. `undefined`: a reused connection had been closed by the other side. */
function post(url: URL, { headers, body, signal, agent }: Sending & { agent: Agent }): Promise<Sent | undefined> {
  return new Promise((resolve, reject) => {
    let sent: Sent | undefined
    const outgoing = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      agent,
      signal,
      method: 'POST',
      maxHeaderSize: MOST_HEADER_BYTES,
      headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
    })
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      if (sent) return
      if (outgoing.reusedSocket && CLOSED.has(error.code ?? '')) resolve(undefined)
      else reject(error)
    })
    // A switch to another protocol ends without a response and without an error.
    outgoing.on('close', () => (sent ? resolve(sent) : reject(new Error('The connection was closed'))))
    outgoing.on('response', (response) => {
      const retryAfter = /^\d{1,9}$/.exec(response.headers['retry-after'] ?? '')?.[0]
      sent = { status: response.statusCode!, retryAfterSeconds: retryAfter === undefined ? undefined : Number(retryAfter) }
      let readBytes = 0
      const cutOff = setTimeout(() => response.destroy(), BODY_TIMEOUT_MS)
      response.on('error', () => {})
      response.on('close', () => clearTimeout(cutOff))
      response.on('data', (chunk: Buffer) => {
        readBytes += chunk.length
        if (readBytes > MOST_READ_BYTES) response.destroy()
      })
    })
    outgoing.end(body)
  })
}
