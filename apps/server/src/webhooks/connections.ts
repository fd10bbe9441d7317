import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { createConnection, isIP, type LookupFunction, type NetConnectOpts, type Socket } from 'node:net'
import { type CallbackAddresses, createAddressCheck } from '../network/addresses.ts'
import { CONNECT_TIMEOUT_MS } from '../network/fetch-response.ts'
import { createLookup } from '../network/lookup.ts'

/** An idle connection is closed after this time. */
const IDLE_MS = 4_000
/** A connection gets no new request after this time, so that a changed DNS answer is followed soon. */
const LIFETIME_MS = 30_000
/**
 * Idle connections of all endpoints together; in-use ones are bounded by the number of attempts in flight.
 */
const MAX_IDLE = 256
/**
 * Everything that a server may send for one request: TLS handshake, interim responses, headers, body, trailers.
 */
const MAX_RECEIVED_BYTES = 128 * 1024
/** TLS reads some messages itself, for example session tickets, and reports no data. */
const CHECK_RECEIVED_EVERY_MS = 50

/** All options except the addresses are for tests. */
export type ConnectionOptions = CallbackAddresses & {
  lookup?: LookupFunction
  idleMs?: number
  lifetimeMs?: number
}

export class AddressNotAllowed extends Error {}
export class TooManyBytes extends Error {}

/** `raw`: the TCP connection, which counts the bytes of TLS, too. `readBefore`: its bytes of earlier requests. */
type Meter = { raw: Socket; readBefore: number; firstKeptAtMs?: number }

/**
 * Agents for requests to partners' servers. Each new connection is made to a checked address: every address
 * that the name resolves to must be allowed. Node looks up no host that is an address already:
 * `isAllowedHost` checks it. `kept` reuses connections between requests to one origin; `fresh` makes a new
 * one for each request. A connection is destroyed when it brings more bytes than a request may, also while it
 * is idle.
 */
export function openConnections(options: ConnectionOptions) {
  const { lookup = createLookup(), idleMs = IDLE_MS, lifetimeMs = LIFETIME_MS } = options
  const isAllowed = createAddressCheck(options)
  const isAllowedHost = (hostname: string) => {
    const host = hostname.replace(/^\[|\]$/g, '')
    return !isIP(host) || isAllowed(host)
  }
  const checking = {
    lookup: checked(lookup, isAllowed),
    autoSelectFamilyAttemptTimeout: CONNECT_TIMEOUT_MS,
  }
  const reuse = { ...checking, keepAlive: true, timeout: idleMs, scheduling: 'lifo' as const }
  const kept = { 'http:': new HttpAgent(reuse), 'https:': new HttpsAgent(reuse) }
  const fresh = { 'http:': new HttpAgent(checking), 'https:': new HttpsAgent(checking) }
  const agents = Object.values(kept)
  const meters = new WeakMap<object, Meter>()
  const idle = () =>
    agents
      .flatMap(({ freeSockets }) => Object.values(freeSockets))
      .reduce((sum, sockets) => sum + sockets!.length, 0)
  for (const agent of [...agents, ...Object.values(fresh)]) meterConnections(agent, meters)
  for (const agent of agents) {
    const keep = agent.keepSocketAlive.bind(agent) as (socket: object) => boolean
    agent.keepSocketAlive = (socket) => {
      const nowMs = performance.now()
      const meter = meters.get(socket)!
      meter.firstKeptAtMs ??= nowMs
      meter.readBefore = meter.raw.bytesRead
      return nowMs - meter.firstKeptAtMs < lifetimeMs && idle() < MAX_IDLE && keep(socket)
    }
  }
  return { isAllowedHost, kept, fresh, close: () => agents.forEach((agent) => agent.destroy()) }
}

function meterConnections(agent: HttpAgent, meters: WeakMap<object, Meter>): void {
  const connect = agent.createConnection.bind(agent)
  agent.createConnection = (options, onCreated) => {
    const raw = createConnection(options as NetConnectOpts)
    const isTls = agent instanceof HttpsAgent
    const socket = isTls ? connect({ ...options, socket: raw } as typeof options, onCreated)! : raw
    const meter: Meter = { raw, readBefore: 0 }
    meters.set(socket, meter)
    const check = () => {
      if (raw.bytesRead - meter.readBefore > MAX_RECEIVED_BYTES) socket.destroy(new TooManyBytes())
    }
    const checks = setInterval(check, CHECK_RECEIVED_EVERY_MS)
    socket.on('data', check).once('close', () => clearInterval(checks))
    return socket
  }
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
