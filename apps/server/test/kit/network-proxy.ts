import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../src/testing/start-service.ts'

type Link = { bytesPerSecond: number; delayMs: number }

export const FAST: Link = { bytesPerSecond: Infinity, delayMs: 0 }

/**
 * A TCP proxy to a PostgreSQL, or to the server that replaces it (as HAProxy does under Patroni).
 * It has three states:
 * - fast: bytes pass without delay;
 * - slow: all connections share one link with a bandwidth and a delay;
 * - blackholed, as when the host loses its network or its power: bytes are dropped. The connections of
 *   that time stay lost and open, even after the PostgreSQL ends.
 *
 * Example: after `blackhole()` and `resume()`, new connections work; `closeLostConnections()` ends the rest.
 */
export async function openNetworkProxy(url: string) {
  const own = new URL(url)
  own.host = `127.0.0.1:${await freePort()}`
  const sockets = new Set<Socket>()
  const lost = new WeakSet<Socket>()
  let [target, link, freeAtMs, isBlackholed] = [new URL(url), FAST, 0, false]

  function pass(from: Socket, into: Socket, isResponse: boolean): void {
    let before = Promise.resolve()
    from.on('data', (chunk) => {
      if (isResponse)
        freeAtMs = Math.max(freeAtMs, performance.now()) + (chunk.length * 1000) / link.bytesPerSecond
      const arrivesAtMs = isResponse && link !== FAST ? freeAtMs + link.delayMs : 0
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
      // Close the far side even of a lost connection: otherwise it would use up the connections of the
      // PostgreSQL.
      if (!isResponse || !lost.has(from)) into.destroy()
    })
    sockets.add(from)
  }

  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ host: target.hostname, port: Number(target.port), noDelay: true })
    pass(near, far, false)
    pass(far, near, true)
    if (isBlackholed) [near, far].forEach((socket) => lost.add(socket))
  })
  await new Promise<void>((resolve) => server.listen(Number(own.port), '127.0.0.1', resolve))
  return {
    url: own.href,
    setLink(next: Link) {
      link = next
      freeAtMs = 0
    },
    blackhole() {
      isBlackholed = true
      sockets.forEach((socket) => lost.add(socket))
    },
    resume: () => void (isBlackholed = false),
    /** New connections reach this server and are not lost. */
    routeTo: (to: string) => void ([target, isBlackholed] = [new URL(to), false]),
    /** Closes the lost connections. */
    closeLostConnections: () => sockets.forEach((socket) => void (lost.has(socket) && socket.destroy())),
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        sockets.forEach((socket) => socket.destroy())
      }),
  }
}
