import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Failure } from '../failure.ts'

type Range = [ipaddr.IPv4 | ipaddr.IPv6, prefix: number]

const NOT_A_RANGE =
  'must be an IP address, or a range such as 203.0.113.0/24 or 2001:db8::/32 ' +
  'whose bits after the prefix are 0'

/** Refuses entries that are neither an address nor a range; the error names the index of each. */
export function requireRanges(field: string, texts: readonly string[] = []): void {
  const wrong = [...texts.keys()].filter((index) => !parseRange(texts[index]!))
  if (wrong.length)
    throw new Failure('validation_failed', {
      errors: Object.fromEntries(wrong.map((index) => [`${field}.${index}`, [NOT_A_RANGE]])),
    })
}

/**
 * Refuses requests from an address that is not in the partner's list. An empty list allows every address; an
 * unknown address is in no list.
 */
export function requireAllowedAddress(...parties: Parameters<typeof isAllowedAddress>): void {
  if (!isAllowedAddress(...parties)) throw new Failure('ip_not_allowed')
}

export function isAllowedAddress(
  { ip_allow_list }: { ip_allow_list: readonly string[] },
  caller: { readonly ip?: string | undefined },
): boolean {
  if (!ip_allow_list.length) return true
  // Express computes `ip` each time it is read.
  const { ip } = caller
  const address = ip !== undefined && ipaddr.isValid(ip) && ipaddr.process(ip)
  const contains = (text: string) => {
    const range = parseRange(text)
    return range && address && address.kind() === range[0].kind() && address.match(range)
  }
  return ip_allow_list.some(contains)
}

/** Whether another range contains every address of a range. Ranges that cannot be read contain nothing. */
export function isWithinRange(text: string, other: string): boolean {
  const [inner, outer] = [parseRange(text), parseRange(other)]
  return Boolean(
    inner && outer && inner[0].kind() === outer[0].kind() && inner[1] >= outer[1] && inner[0].match(outer),
  )
}

/** An IPv4-mapped IPv6 address (`::ffff:203.0.113.7`) counts as the IPv4 address. */
function parseRange(text: string): Range | undefined {
  const [, host, bits] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  if (!host || !isIP(host)) return undefined
  const parsed = ipaddr.parse(host)
  const longest = parsed.kind() === 'ipv4' ? 32 : 128
  const prefix = Number(bits ?? longest)
  if (prefix > longest) return undefined
  const isMapped = parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress() && prefix >= 96
  const range: Range = isMapped ? [parsed.toIPv4Address(), prefix - 96] : [parsed, prefix]
  return hasBitsAfterPrefix(...range) ? undefined : range
}

/** `203.0.113.7/24` could mean one address or 256, so it is refused. */
function hasBitsAfterPrefix(address: ipaddr.IPv4 | ipaddr.IPv6, prefix: number): boolean {
  const bits = address
    .toByteArray()
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('')
  return bits.slice(prefix).includes('1')
}
