import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../src/testing.ts'

type Line = { bytesPerSecond: number; delayMs: number }

export const FAST: Line = { bytesPerSecond: Infinity, delayMs: 0 }

/**
 * A way to a PostgreSQL: fast; or slow, one line that all connections share; or silent: then what is sent is lost, on the connections
 * of that time for ever, and nobody is told.
 */
export async function openNetwork(url: string) {
  const to = new URL(url)
  const [port, target] = [await freePort(), { host: to.hostname, port: Number(to.port) }]
  const sockets = new Set<Socket>()
  const lost = new WeakSet<Socket>()
  let line = FAST
  let freeAtMs = 0
  let isSilent = false

  function pass(from: Socket, into: Socket, isAnswer: boolean): void {
    let before = Promise.resolve()
    from.on('data', (chunk) => {
      if (isAnswer) freeAtMs = Math.max(freeAtMs, performance.now()) + (chunk.length * 1000) / line.bytesPerSecond
      const arrivesAtMs = isAnswer && line !== FAST ? freeAtMs + line.delayMs : 0
      before = carry(before, chunk, arrivesAtMs)
    })
    const carry = async (earlier: Promise<void>, chunk: Buffer, arrivesAtMs: number) => {
      await earlier
      const leftMs = arrivesAtMs - performance.now()
      if (leftMs > 0) await sleep(leftMs)
      if (!lost.has(from)) into.write(chunk)
    }
    from.on('error', () => into.destroy())
    from.on('close', () => (sockets.delete(from), into.destroy()))
    sockets.add(from)
  }

  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ ...target, noDelay: true })
    pass(near, far, false)
    pass(far, near, true)
    if (isSilent) [near, far].forEach((socket) => lost.add(socket))
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  to.host = `127.0.0.1:${port}`
  return {
    url: to.href,
    be(next: Line) {
      line = next
      freeAtMs = 0
    },
    silence() {
      isSilent = true
      sockets.forEach((socket) => lost.add(socket))
    },
    speak: () => void (isSilent = false),
    /** The lost connections end at last. */
    cutLost: () => sockets.forEach((socket) => void (lost.has(socket) && socket.destroy())),
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        sockets.forEach((socket) => socket.destroy())
      }),
  }
}
