import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll } from 'vitest'

/** What the peer does on one connection after it has received a request. */
export type Behavior = (socket: Socket) => void

export const respond =
  (status: number, body: unknown, headers: Record<string, string> = {}): Behavior =>
  (socket) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const lines = Object.entries({
      'Content-Length': Buffer.byteLength(text),
      Connection: 'close',
      ...headers,
    })
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    socket.end(`HTTP/1.1 ${status} Any\r\n${head}\r\n${text}`)
  }

const HALF_A_RESPONSE =
  'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"status":'

export const neverRespond: Behavior = () => {}
export const stopInBody: Behavior = (socket) => void socket.write(HALF_A_RESPONSE)
export const resetBefore: Behavior = (socket) => void socket.resetAndDestroy()
export const resetInBody: Behavior = (socket) =>
  void socket.write(HALF_A_RESPONSE, () => setTimeout(() => socket.resetAndDestroy(), 20))

/**
 * A TCP server for a test file. It behaves as the script says, one entry for each request, and repeats the
 * last entry. `requests` has the text of each request.
 */
export async function startPeerForFile() {
  const requests: string[] = []
  const sockets = new Set<Socket>()
  let script: Behavior[] = [neverRespond]
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    socket.once('data', (chunk) => {
      requests.push(String(chunk))
      script[Math.min(requests.length, script.length) - 1]!(socket)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  afterAll(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    setScript: (...behaviors: Behavior[]) => {
      requests.length = 0
      script = behaviors
    },
  }
}
