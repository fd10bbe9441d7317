import { lookup as systemLookup } from 'node:dns'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { type CallbackAddresses, createAddressCheck } from '../network/addresses.ts'

/** An idle connection is closed after this time. */
const IDLE_MS = 4_000
/** A connection gets no new request after this time, so that a changed DNS answer is followed soon. */
const LIFETIME_MS = 30_000
/**
 * Idle connections of all endpoints together; in-use ones are bounded by the number of attempts in flight.
 */
const MAX_IDLE = 256

/** All options except the addresses are for tests. */
export type ConnectionOptions = CallbackAddresses & {
  /** Replaces the system's resolver. */
  lookup?: LookupFunction
  idleMs?: number
  lifetimeMs?: number
  maxIdle?: number
}

export class AddressNotAllowed extends Error {}

/**
 * Agents for requests to partners' servers. Each new connection is made to a checked address: every address
 * that the name resolves to must be allowed. Node looks up no host that is an address already:
 * `isAllowedHost` checks it. `kept` reuses connections between requests to one origin; `fresh` makes a new
 * one for each request.
 */
export function openConnections(options: ConnectionOptions) {
  const { lookup = systemLookup, idleMs = IDLE_MS, lifetimeMs = LIFETIME_MS, maxIdle = MAX_IDLE } = options
  const isAllowed = createAddressCheck(options)
  const isAllowedHost = (hostname: string) => {
    const host = hostname.replace(/^\[|\]$/g, '')
    return !isIP(host) || isAllowed(host)
  }
  const checking = { lookup: checked(lookup, isAllowed) }
  const reuse = { ...checking, keepAlive: true, timeout: idleMs, scheduling: 'lifo' as const }
  const kept = { 'http:': new HttpAgent(reuse), 'https:': new HttpsAgent(reuse) }
  const fresh = { 'http:': new HttpAgent(checking), 'https:': new HttpsAgent(checking) }
  const agents = Object.values(kept)
  const firstKeptAtMs = new WeakMap<object, number>()
  const idle = () =>
    agents
      .flatMap(({ freeSockets }) => Object.values(freeSockets))
      .reduce((sum, sockets) => sum + sockets!.length, 0)
  for (const agent of agents) {
    const keep = agent.keepSocketAlive.bind(agent) as (socket: object) => boolean
    agent.keepSocketAlive = (socket) => {
      const nowMs = performance.now()
      const sinceMs = firstKeptAtMs.get(socket) ?? nowMs
      firstKeptAtMs.set(socket, sinceMs)
      return nowMs - sinceMs < lifetimeMs && idle() < maxIdle && keep(socket)
    }
  }
  return { isAllowedHost, kept, fresh, close: () => agents.forEach((agent) => agent.destroy()) }
}

/**
 * Fails unless every address that a name resolves to is allowed. The connection goes to one of the addresses
 * that were checked.
 */
export function checked(lookup: LookupFunction, isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, done) =>
    lookup(hostname, options, (error, found, family) => {
      const addresses = typeof found === 'string' ? [found] : (found ?? []).map(({ address }) => address)
      done(error ?? (addresses.every(isAllowed) ? null : new AddressNotAllowed(hostname)), found, family)
    })
}
