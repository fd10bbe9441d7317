import { isIP } from 'node:net'
import { Failure } from '../failure.ts'
import { isPublicAddress } from '../network/addresses.ts'

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
  // Reading the URL has brought all spellings of an address (`0x7f.1`, `2130706433`, `0177.0.0.1`) to one.
  const host = url.hostname.replace(/^\[|\]$|\.$/g, '')
  if (LOOPBACK.has(host)) return environment === 'sandbox' && ['https:', 'http:'].includes(url.protocol)
  if (url.protocol !== 'https:') return false
  return isIP(host) ? isPublicAddress(host) : !host.endsWith('.localhost')
}
