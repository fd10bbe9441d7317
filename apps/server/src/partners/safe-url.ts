import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Failure } from '../http/failure.ts'

/** Where a partner under development may listen; events are sent to no other address of the machine. */
const LOOPBACK = new Set(['localhost', '127.0.0.1', '::1'])

type Environment = 'sandbox' | 'live'

/**
 * Refuses addresses that no partner's server has: ours, those of our network, those of the machine below. That spares the administrator
 * a delivery that is bound to fail; what a name resolves to is judged at each delivery.
 */
export function requireSafeUrl(field: string, url: string | null | undefined, environment: Environment): void {
  if (!url || isSafe(URL.parse(url), environment)) return
  throw new Failure('validation_failed', { errors: { [field]: ['must be an https URL of a public host, without credentials'] } })
}

function isSafe(url: URL | null, environment: Environment): boolean {
  if (!url || url.username || url.password) return false
  const range = rangeOf(url.hostname)
  if (environment === 'sandbox' && range === 'loopback') return url.protocol === 'https:' || url.protocol === 'http:'
  return url.protocol === 'https:' && range === 'unicast'
}

/** Whose an address is. Reading the URL has brought all spellings (`0x7f.1`, `2130706433`, `0177.0.0.1`) to one. */
function rangeOf(hostname: string): string {
  const host = hostname.replace(/^\[|\]$|\.$/g, '')
  if (LOOPBACK.has(host)) return 'loopback'
  if (!isIP(host)) return host.endsWith('.localhost') ? 'reserved' : 'unicast'
  const range = ipaddr.parse(host).range()
  if (range === 'loopback') return 'reserved'
  // IPv4 within IPv6 (`::127.0.0.1`) counts as unicast there.
  return range === 'unicast' && host.startsWith('::') ? 'reserved' : range
}
