import type { LookupFunction } from 'node:net'
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent'

const LOOPBACK = ['127.0.0.1', '::1']
/** An idle connection is closed after this time. */
const IDLE_MS = 4_000
/** A connection gets no new request after this time, so that a changed DNS answer is followed soon. */
const LIFETIME_MS = 30_000
/** Idle connections of all endpoints together; in-use ones are bounded by the number of attempts in flight. */
const MAX_IDLE = 256

/** All but the first are for tests. */
export type ConnectionOptions = {
  /** The sandbox sends to servers on the same machine. */
  allowLoopback: boolean
  /** Replaces the system's resolver. */
  lookup?: LookupFunction
  idleMs?: number
  lifetimeMs?: number
  maxIdle?: number
}

/**
 * Agents for requests to partners' servers. Each new connection is made to a checked address: every address that the name resolves to
 * must be allowed. `kept` reuses connections between requests to one origin; `fresh` makes a new one for each request.
 */
export function openConnections(options: ConnectionOptions) {
  const { allowLoopback, lookup, idleMs = IDLE_MS, lifetimeMs = LIFETIME_MS, maxIdle = MAX_IDLE } = options
  const filter = { allowIPAddressList: allowLoopback ? LOOPBACK : [], ...(lookup && { lookup }) }
  const reuse = { ...filter, keepAlive: true, timeout: idleMs, scheduling: 'lifo' as const }
  const kept = { 'http:': new RequestFilteringHttpAgent(reuse), 'https:': new RequestFilteringHttpsAgent(reuse) }
  const fresh = { 'http:': new RequestFilteringHttpAgent(filter), 'https:': new RequestFilteringHttpsAgent(filter) }
  const agents = Object.values(kept)
  const firstKeptAtMs = new WeakMap<object, number>()
  const idle = () => agents.flatMap(({ freeSockets }) => Object.values(freeSockets)).reduce((sum, sockets) => sum + sockets!.length, 0)
  for (const agent of agents) {
    const keep = agent.keepSocketAlive.bind(agent) as (socket: object) => boolean
    agent.keepSocketAlive = (socket) => {
      const nowMs = performance.now()
      const sinceMs = firstKeptAtMs.get(socket) ?? nowMs
      firstKeptAtMs.set(socket, sinceMs)
      return nowMs - sinceMs < lifetimeMs && idle() < maxIdle && keep(socket)
    }
  }
  return { kept, fresh, close: () => agents.forEach((agent) => agent.destroy()) }
}
