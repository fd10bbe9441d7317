import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Failure } from '../failure.ts'

type Range = [ipaddr.IPv4 | ipaddr.IPv6, prefix: number]

const NOT_A_RANGE = 'must be an IP address, or a range such as 203.0.113.0/24 or 2001:db8::/32 without bits behind its prefix'

/** Refuses what is neither an address nor a range, each by its place in the list. */
export function requireRanges(field: string, texts: readonly string[] = []): void {
  const wrong = [...texts.keys()].filter((index) => !parseRange(texts[index]!))
  if (wrong.length)
    throw new Failure('validation_failed', { errors: Object.fromEntries(wrong.map((index) => [`${field}.${index}`, [NOT_A_RANGE]])) })
}

/** Express works the address out each time that it is asked for it. */
type Caller = { readonly ip?: string | undefined }

/** Refuses an address from which the partner may not call. An empty list allows any; an address that cannot be told is in none. */
export function requireAllowedAddress({ ip_allow_list }: { ip_allow_list: readonly string[] }, caller: Caller): void {
  if (!ip_allow_list.length) return
  const { ip } = caller
  const address = ip !== undefined && ipaddr.isValid(ip) && ipaddr.process(ip)
  const holds = (text: string) => {
    const range = parseRange(text)
    return range && address && address.kind() === range[0].kind() && address.match(range)
  }
  if (!ip_allow_list.some(holds)) throw new Failure('ip_not_allowed')
}

/** IPv4 within IPv6 (`::ffff:203.0.113.7`) is that IPv4. */
function parseRange(text: string): Range | undefined {
  const [, host, bits] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  if (!host || !isIP(host)) return undefined
  const given = ipaddr.parse(host)
  const longest = given.kind() === 'ipv4' ? 32 : 128
  const prefix = Number(bits ?? longest)
  if (prefix > longest) return undefined
  const isMapped = given instanceof ipaddr.IPv6 && given.isIPv4MappedAddress() && prefix >= 96
  const range: Range = isMapped ? [given.toIPv4Address(), prefix - 96] : [given, prefix]
  return hasBitsBehind(...range) ? undefined : range
}

/** `203.0.113.7/24` may be meant as one address or as 256: nobody should have to guess who may call. */
function hasBitsBehind(address: ipaddr.IPv4 | ipaddr.IPv6, prefix: number): boolean {
  const bits = address
    .toByteArray()
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('')
  return bits.slice(prefix).includes('1')
}
