import { Client } from 'undici'

export type Request = { method: 'GET' | 'POST'; path: string; headers: Record<string, string>; body?: string }
/** One connection, kept alive, with one request at a time. */
export type Connection = { exchange(request: Request): Promise<Buffer>; close(): Promise<void> }

/** Below undici's convenient methods, so that the generator takes as little as it can of the processors that it shares. */
export function connectTo(origin: string): Connection {
  const client = new Client(origin, { pipelining: 1, headersTimeout: 30_000 })
  const exchange = (request: Request) =>
    new Promise<Buffer>((resolve, reject) => {
      const chunks: Buffer[] = []
      let status = 0
      client.dispatch(request, {
        onRequestStart: () => {},
        onResponseStart: (_controller, statusCode) => void (status = statusCode),
        onResponseData: (_controller, chunk) => void chunks.push(chunk),
        onResponseEnd: () => {
          const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
          if (status === 200) resolve(body)
          else reject(new Error(`${request.method} ${request.path.split('?')[0]} was answered ${status}: ${body.toString().slice(0, 300)}`))
        },
        onResponseError: (_controller, error) => reject(error),
      })
    })
  return { exchange, close: () => client.close() }
}
