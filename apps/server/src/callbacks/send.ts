import { request as requestHttp } from 'node:http'
import { request as requestHttps, type RequestOptions } from 'node:https'
import type { LookupFunction } from 'node:net'
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent'

const TIMEOUT_MS = 15_000
const MOST_READ_BYTES = 4 * 1024
const MOST_HEADER_BYTES = 8 * 1024
const LOOPBACK = ['127.0.0.1', '::1']
const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]'])

export type Sending = {
  url: string
  headers: Record<string, string>
  body: string
  /** In the sandbox a partner under development lives on the same machine. */
  allowLoopback: boolean
  /** Ends the attempt from outside: its outcome is then unknown. */
  signal: AbortSignal
  /** Another resolver of names than the system's, for tests. */
  lookup?: LookupFunction
  /** A shorter time-out, for tests. */
  timeoutMs?: number
}

export type Sent = { status: number; retryAfterSeconds: number | undefined } | { failure: string }

/**
 * Posts an event. Guarded against being led elsewhere (SSRF): `https`, no credentials, every address that the name resolves to
 * is checked and the connection goes to the checked one, no redirect is followed, no proxy is used, and of the answer hardly
 * more than the status is read.
 */
export async function sendEvent(sending: Sending): Promise<Sent> {
  const url = URL.parse(sending.url)
  const isHttp = url?.protocol === 'http:' && sending.allowLoopback && LOOPBACK_NAMES.has(url.hostname)
  if (!url || (url.protocol !== 'https:' && !isHttp) || url.username || url.password) return { failure: 'address not allowed' }
  const Agent = isHttp ? RequestFilteringHttpAgent : RequestFilteringHttpsAgent
  const agent = new Agent({ allowIPAddressList: sending.allowLoopback ? LOOPBACK : [] })
  const timeout = AbortSignal.timeout(sending.timeoutMs ?? TIMEOUT_MS)
  try {
    return await post(url, isHttp ? requestHttp : requestHttps, sending, {
      agent,
      signal: AbortSignal.any([sending.signal, timeout]),
      ...(sending.lookup && { lookup: sending.lookup }),
    })
  } catch (error) {
    sending.signal.throwIfAborted()
    return { failure: timeout.aborted ? 'time-out' : reasonOf(error) }
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof Error && / is not allowed\. Because/.test(error.message) ? 'address not allowed' : 'no connection'

function post(url: URL, request: typeof requestHttps, { headers, body }: Sending, options: RequestOptions): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      ...options,
      method: 'POST',
      maxHeaderSize: MOST_HEADER_BYTES,
      headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
    })
    outgoing.on('error', reject)
    // Without an answer and without an error, too: that is how a switch to another protocol ends.
    outgoing.on('close', () => reject(new Error('The connection was closed')))
    outgoing.on('response', (response) => {
      let readBytes = 0
      response.on('error', () => {})
      response.on('data', (chunk: Buffer) => {
        readBytes += chunk.length
        if (readBytes > MOST_READ_BYTES) response.destroy()
      })
      const retryAfter = /^\d{1,9}$/.exec(response.headers['retry-after'] ?? '')?.[0]
      resolve({ status: response.statusCode!, retryAfterSeconds: retryAfter === undefined ? undefined : Number(retryAfter) })
    })
    outgoing.end(body)
  })
}
