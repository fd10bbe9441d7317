import { isIP } from 'node:net'
import { Failure } from '../failure.ts'
import { type CallbackAddresses, createAddressCheck, isPublicAddress } from './addresses.ts'

/** A partner's server in development may listen here. Events are sent to no other address of the machine. */
const LOOPBACK = new Set(['localhost', '127.0.0.1', '::1'])

type Environment = 'sandbox' | 'live'

/** Refuses a callback URL to which no event would be sent. */
export function requireSafeCallback(url: string | null | undefined, addresses: CallbackAddresses): void {
  const environment = addresses.allowLoopback ? 'sandbox' : 'live'
  requireSafeUrl('callback_url', url, environment, createAddressCheck(addresses))
}

/**
 * Refuses URLs that cannot be a partner's server: addresses of this machine, of its private network, and of
 * the machine that hosts it. The administrator learns at once that deliveries would fail. The addresses of a
 * host name are checked at each delivery.
 */
export function requireSafeUrl(
  field: string,
  url: string | null | undefined,
  environment: Environment,
  isAllowed = isPublicAddress,
): void {
  const problem = url && problemOfUrl(url, environment, isAllowed)
  if (problem) throw new Failure('validation_failed', { errors: { [field]: [problem] } })
}

/** What makes a URL unusable for others; `undefined`: nothing. */
export function problemOfUrl(
  url: string,
  environment: Environment,
  isAllowed = isPublicAddress,
): string | undefined {
  if (!isUri(url)) return 'has a character that a URL may only have percent-encoded (RFC 3986)'
  if (!isSafeUrl(url, environment, isAllowed))
    return 'must be an https URL of a public host, without credentials'
  return undefined
}

/** The URL parser accepts more, for example `{` in the name of a host. Clients that check `format: uri` refuse it. */
const isUri = (text: string) =>
  /^([\w\-.~:/?#@!$&'()*+,;=]|%[\da-f]{2})*$/i.test(text.replace(/^(\w+:\/\/)\[[^\]]*\]/, '$1'))

function isSafeUrl(text: string, environment: Environment, isAllowed: (address: string) => boolean): boolean {
  // Without its two slashes, a browser reads the text as an address of the page that it shows.
  if (!/^https?:\/\/[^/]/i.test(text)) return false
  const url = URL.parse(text)
  if (!url || url.username || url.password) return false
  // The URL parser has normalized all spellings of an address (`0x7f.1`, `2130706433`, `0177.0.0.1`).
  const host = url.hostname.replace(/^\[|\]$|\.$/g, '')
  if (LOOPBACK.has(host)) return environment === 'sandbox' && ['https:', 'http:'].includes(url.protocol)
  if (url.protocol !== 'https:') return false
  return isIP(host) ? isAllowed(host) : !host.endsWith('.localhost')
}
