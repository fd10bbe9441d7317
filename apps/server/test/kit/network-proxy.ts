import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../src/testing/start-service.ts'

type Line = { bytesPerSecond: number; delayMs: number }

export const FAST: Line = { bytesPerSecond: Infinity, delayMs: 0 }

/**
 * A way to a PostgreSQL, and to whichever takes its place (as HAProxy under Patroni): fast; or slow, one line that all connections share;
 * or silent, as when the host lost its network or its power: what is sent is lost, on the connections of that time for ever, and they stay
 * open even when the PostgreSQL ends.
 */
export async function openNetwork(url: string) {
  const own = new URL(url)
  own.host = `127.0.0.1:${await freePort()}`
  const sockets = new Set<Socket>()
  const lost = new WeakSet<Socket>()
  let [target, line, freeAtMs, isSilent] = [new URL(url), FAST, 0, false]

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
    from.on('error', () => {})
    from.on('close', () => {
      sockets.delete(from)
      // That the near end gave up is heard even so: else the lost would use up the connections of the PostgreSQL.
      if (!isAnswer || !lost.has(from)) into.destroy()
    })
    sockets.add(from)
  }

  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ host: target.hostname, port: Number(target.port), noDelay: true })
    pass(near, far, false)
    pass(far, near, true)
    if (isSilent) [near, far].forEach((socket) => lost.add(socket))
  })
  await new Promise<void>((resolve) => server.listen(Number(own.port), '127.0.0.1', resolve))
  return {
    url: own.href,
    be(next: Line) {
      line = next
      freeAtMs = 0
    },
    silence() {
      isSilent = true
      sockets.forEach((socket) => lost.add(socket))
    },
    speak: () => void (isSilent = false),
    /** What connects from now on reaches this server, and is heard. */
    lead: (to: string) => void ([target, isSilent] = [new URL(to), false]),
    /** The lost connections end at last. */
    cutLost: () => sockets.forEach((socket) => void (lost.has(socket) && socket.destroy())),
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        sockets.forEach((socket) => socket.destroy())
      }),
  }
}
