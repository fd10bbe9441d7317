// A separate thread, so that the work of the attack does not delay the measured requests.
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

/** `methods`: the first bytes of a connection, and the byte that follows at intervals. */
export type Attack = {
  port: number
  sockets: number
  timeoutMs: number
  methods: Record<string, [first: string, then: string]>
}

const DRIP_MS = 250
/** All sockets are open within a second. */
const OPENING_MS = 1_000

const { port, sockets, timeoutMs, methods } = workerData as Attack

/** The time until the server closes the connection, or `timeoutMs`. Our side never closes first. */
function hold([first, then]: [string, string]): Promise<number> {
  const startedAtMs = performance.now()
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => socket.write(first))
    let probe = ''
    const drip = setInterval(() => (then || probe) && socket.write(then || probe), DRIP_MS)
    const end = () => {
      clearInterval(drip)
      clearTimeout(timeout)
      socket.destroy()
      resolve(performance.now() - startedAtMs)
    }
    const timeout = setTimeout(end, timeoutMs)
    // A half-closed connection is still open: the server has released it only when it rejects our bytes.
    socket.on('end', () => void (probe = ' '))
    socket.on('error', end).on('close', end).resume()
  })
}

const names = Object.keys(methods)
const longest = Object.fromEntries(names.map((name) => [name, 0]))
const holdOne = async (index: number) => {
  await sleep((index * OPENING_MS) / sockets)
  const name = names[index % names.length]!
  longest[name] = Math.max(longest[name]!, await hold(methods[name]!))
}
await Promise.all(Array.from({ length: sockets }, (_, index) => holdOne(index)))
parentPort!.postMessage(longest, [])
