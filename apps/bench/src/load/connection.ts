import { Client } from 'undici'

export type Request = {
  method: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  body?: string
}
/** A keep-alive connection with one request in flight at a time. `send` rejects unless the status is 200. */
export type Connection = { send(request: Request): Promise<Buffer>; close(): Promise<void> }

/**
 * Uses undici's low-level `dispatch`, because the load generator shares the processors with the servers and
 * must use as little of them as possible.
 */
export function connectTo(origin: string): Connection {
  const client = new Client(origin, { pipelining: 1, headersTimeout: 30_000 })
  const send = (request: Request) =>
    new Promise<Buffer>((resolve, reject) => {
      const chunks: Buffer[] = []
      let status = 0
      client.dispatch(request, {
        onRequestStart: () => {},
        onResponseStart: (_controller, statusCode) => void (status = statusCode),
        onResponseData: (_controller, chunk) => void chunks.push(chunk),
        onResponseEnd: () => {
          const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
          if (status === 200) return resolve(body)
          const path = request.path.split('?')[0]
          reject(new Error(`${request.method} ${path} returned ${status}: ${body.toString().slice(0, 300)}`))
        },
        onResponseError: (_controller, error) => reject(error),
      })
    })
  return { send, close: () => client.close() }
}
