// What stands between the server processes and PostgreSQL, and leads to whichever server is the primary (as HAProxy under Patroni).
import { connect, createServer, type Socket } from 'node:net'
import { freePort } from '../src/testing.ts'

export type Proxy = Awaited<ReturnType<typeof startProxy>>

/** `url`: of the server that it leads to at first; that of the proxy is like it. */
export async function startProxy(url: string) {
  const own = new URL(url)
  own.port = String(await freePort())
  const open = new Set<Socket>()
  let [port, hasVanished] = [Number(new URL(url).port), false]
  let cut: (() => void)[] = []

  const server = createServer((near) => {
    keep(near)
    if (hasVanished) near.resume()
    else pass(near, keep(connect(port, '127.0.0.1')))
  })
  function pass(near: Socket, far: Socket): void {
    near.pipe(far).pipe(near)
    const endBoth = () => (near.destroy(), far.destroy())
    for (const socket of [near, far]) socket.on('close', endBoth)
    cut.push(() => {
      near.unpipe(far).resume()
      far.unpipe(near).resume()
      far.off('close', endBoth)
    })
  }
  function keep(socket: Socket): Socket {
    open.add(socket)
    return socket.on('error', () => {}).on('close', () => open.delete(socket))
  }
  await new Promise<void>((resolve) => server.listen(Number(own.port), '127.0.0.1', resolve))
  return {
    url: own.href,
    /** As a host that lost its network or its power: connections stay as they are, and nothing is heard of them any more. */
    vanish(): void {
      hasVanished = true
      for (const each of cut) each()
      cut = []
    },
    /** What connects from now on reaches this server. */
    lead(to: string): void {
      ;[port, hasVanished] = [Number(new URL(to).port), false]
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
