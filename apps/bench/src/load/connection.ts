import { once } from 'node:events'
import { connect } from 'node:net'

export type Request = {
  method: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  body?: string
}
/** A keep-alive connection with one request in flight at a time. `send` rejects unless the status is 200. */
export type Connection = { send(request: Request): Promise<Buffer>; close(): Promise<void> }

const END_OF_HEADERS = '\r\n\r\n'
const CONTENT_LENGTH = /^content-length: *(\d+)$/im

type Pending = { request: Request; resolve(body: Buffer): void; reject(error: Error): void }

/**
 * Reads HTTP/1.1 from a socket without an HTTP client, because the load generator shares the processors with
 * the servers: what it uses, no contender can use. Each response must have a `Content-Length`, as those of
 * all contenders do.
 */
export function connectTo(origin: string): Connection {
  const { hostname, port, host } = new URL(origin)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  let received: Buffer = Buffer.alloc(0)
  let pending: Pending | undefined

  function settle(error: Error | undefined, body?: Buffer): void {
    const current = pending
    pending = undefined
    if (error) current?.reject(error)
    else current?.resolve(body!)
  }

  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    const endOfHeaders = received.indexOf(END_OF_HEADERS)
    if (endOfHeaders < 0) return
    const headers = received.toString('latin1', 0, endOfHeaders)
    const length = CONTENT_LENGTH.exec(headers)?.[1]
    if (length === undefined) return settle(new Error(`A response has no Content-Length: ${headers}`))
    const bodyAt = endOfHeaders + END_OF_HEADERS.length
    if (received.length < bodyAt + Number(length)) return
    const body = received.subarray(bodyAt, bodyAt + Number(length))
    received = received.subarray(bodyAt + Number(length))
    const status = headers.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)
    if (status === '200') return settle(undefined, body)
    const { method, path } = pending!.request
    settle(new Error(`${method} ${path.split('?')[0]} returned ${status}: ${body.toString().slice(0, 300)}`))
  })
  socket.on('error', settle)
  socket.on('close', () => settle(new Error(`${origin} closed a connection.`)))

  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) return reject(new Error(`${origin} closed a connection.`))
        pending = { request, resolve, reject }
        socket.write(toText(host, request))
      }),
    close: async () => {
      const closed = once(socket, 'close')
      socket.end()
      await closed
    },
  }
}

function toText(host: string, { method, path, headers, body = '' }: Request): string {
  const length = method === 'POST' ? `content-length: ${Buffer.byteLength(body)}\r\n` : ''
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n${length}${lines.join('')}\r\n${body}`
}
