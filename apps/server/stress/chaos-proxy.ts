// A TCP proxy that disturbs each chunk of bytes at random, in both directions:
// - delay: the chunk, and those behind it on its connection, arrive later;
// - reorder: as delay, until chunks of other connections have passed, which were sent later;
// - cut: the chunk is lost, and both sides are disconnected;
// - halve: the first half arrives, then both sides are disconnected.
// Example: `proxy.disturb({ cut: 0.01 })` cuts a connection at every hundredth chunk, until `proxy.calm()`.
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../src/testing/start-service.ts'

export const KINDS = ['delay', 'reorder', 'cut', 'halve'] as const
type Kind = (typeof KINDS)[number]
/** The share of the chunks that are disturbed in this way. */
export type Chances = Partial<Record<Kind, number>>

const MAX_DELAY_MS = 150
/** A reordered chunk waits for this many chunks of other connections, or for `MAX_DELAY_MS`. */
const OVERTAKING = 3

export async function openChaosProxy(url: string) {
  const own = new URL(url)
  const target = { host: own.hostname, port: Number(own.port), noDelay: true }
  own.host = `127.0.0.1:${await freePort()}`
  const sockets = new Set<Socket>()
  const counts: Record<Kind, number> = { delay: 0, reorder: 0, cut: 0, halve: 0 }
  let chances: Chances = {}
  let passed = 0

  function drawKind(): Kind | undefined {
    let drawn = Math.random()
    return KINDS.find((kind) => (drawn -= chances[kind] ?? 0) < 0)
  }

  async function waitForOthers(): Promise<void> {
    const until = passed + OVERTAKING
    for (let waitedMs = 0; passed < until && waitedMs < MAX_DELAY_MS; waitedMs += 5) await sleep(5)
  }

  function pass(from: Socket, into: Socket): void {
    let before = Promise.resolve()
    async function carry(earlier: Promise<void>, chunk: Buffer): Promise<void> {
      await earlier
      const kind = drawKind()
      if (kind) counts[kind]++
      if (kind === 'delay') await sleep(Math.random() * MAX_DELAY_MS)
      if (kind === 'reorder') await waitForOthers()
      if (kind === 'cut') return end()
      passed++
      if (kind !== 'halve') return void into.write(chunk)
      into.write(chunk.subarray(0, chunk.length >> 1), end)
    }
    const end = () => [from, into].forEach((socket) => socket.destroy())
    from.on('data', (chunk) => void (before = carry(before, chunk)))
    from.on('error', () => {})
    from.on('close', () => {
      sockets.delete(from)
      // The last chunks may still be on their way.
      void before.then(() => into.destroySoon())
    })
    sockets.add(from)
  }

  const server = createServer({ noDelay: true }, (near) => {
    const far = connect(target)
    pass(near, far)
    pass(far, near)
  })
  await new Promise<void>((resolve) => server.listen(Number(own.port), '127.0.0.1', resolve))
  return {
    url: own.href.replace(/\/$/, ''),
    counts,
    disturb: (next: Chances) => void (chances = next),
    calm: () => void (chances = {}),
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        sockets.forEach((socket) => socket.destroy())
      }),
  }
}
