import { connect } from 'node:net'

export type RawResponse = { status: number; headers: Record<string, string>; body: string }
export type RawExchange = { response: RawResponse | undefined; elapsedMs: number; closed: boolean }

/**
 * Writes bytes unchanged and reads until the server closes the connection or `timeoutMs` passes. `thenEndMs`:
 * closes our side after that time, as a client does that disconnects within a request. Not earlier, because
 * Node sends no response to a client that has closed its side.
 */
export function sendRaw(
  url: string,
  bytes: string | Buffer,
  { thenEndMs, timeoutMs = 1_500 }: { thenEndMs?: number; timeoutMs?: number } = {},
): Promise<RawExchange> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname === 'localhost' ? '127.0.0.1' : hostname)
    const received: Buffer[] = []
    const startedAt = performance.now()
    let closed = true
    socket.setTimeout(timeoutMs, () => {
      closed = false
      socket.destroy()
    })
    socket.on('data', (chunk: Buffer) => {
      received.push(chunk)
      // An event stream has no end: its first bytes are enough.
      if (chunk.includes('Content-Type: text/event-stream')) socket.destroy()
    })
    // A server that has responded may reset the connection when we write more.
    socket.on('error', () => {})
    socket.on('close', () =>
      resolve({
        response: parse(Buffer.concat(received).toString('latin1')),
        elapsedMs: performance.now() - startedAt,
        closed,
      }),
    )
    socket.write(bytes)
    if (thenEndMs === undefined) return
    const ending = setTimeout(() => socket.end(), thenEndMs)
    socket.on('close', () => clearTimeout(ending))
  })
}

/** The final response, without a preceding `100 Continue`. */
function parse(text: string): RawResponse | undefined {
  const final = text.replace(/^(HTTP\/1\.1 1\d\d [^\r]*\r\n(.+\r\n)*\r\n)+/, '')
  const [head = '', ...rest] = final.split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(statusLine) ?? []
  if (!status) return undefined
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  )
  const body = rest.join('\r\n\r\n')
  // Bytes after a complete request get a second response, which is cut off here.
  return {
    status: Number(status),
    headers,
    body: headers['content-length'] ? body.slice(0, Number(headers['content-length'])) : body,
  }
}

export function requestText(
  method: string,
  target: string,
  headers: Record<string, string | number> = {},
  body = '',
): string {
  const lines = Object.entries({ Host: 'localhost', Connection: 'close', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}

export const chunked = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
