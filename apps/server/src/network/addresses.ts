// Which IP addresses belong to public hosts, and which to this machine.
import { BlockList, isIP, isIPv4 } from 'node:net'
import { ipKeyGenerator } from 'express-rate-limit'

/**
 * IPv4 ranges that are reserved by IANA's special-purpose registry (RFC 6890) or for multicast, and ranges
 * that clouds use for their own services although they are otherwise public.
 */
const NOT_PUBLIC_V4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT; Alibaba's metadata
  '127.0.0.0/8', // loopback
  '161.26.0.0/16', // IBM Cloud's services
  '166.8.0.0/14', // IBM Cloud's services
  '168.63.129.16/32', // Azure's wire server
  '169.254.0.0/16', // link-local; the metadata of most clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments; Oracle's metadata
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
]

/**
 * All public IPv6 hosts are in 2000::/3. This range already excludes loopback, IPv4 within IPv6 (::/96,
 * ::ffff:0:0/96), NAT64 (64:ff9b::/96, 64:ff9b:1::/48), unique local, link-local, site-local and multicast
 * addresses.
 */
const HOSTS_V6 = '2000::/3'
const NOT_PUBLIC_V6 = [
  '2001::/23', // protocol assignments: Teredo, benchmarks, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: IPv4 within IPv6
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
]

/** Private networks: RFC 1918, carrier-grade NAT (RFC 6598), unique local addresses (RFC 4193). */
const PRIVATE = ['10.0.0.0/8', '100.64.0.0/10', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']
/** The metadata of clouds in private networks: it gives credentials to every program that asks. */
const PRIVATE_METADATA = [
  '100.100.100.200/32', // Alibaba
  'fd00:ec2::/32', // AWS
  'fd20:ce::254/128', // Google
]
const LOOPBACK = new Set(['127.0.0.1', '::1'])

const privateMetadata = listOf(PRIVATE_METADATA)
const notPublic = listOf([...NOT_PUBLIC_V4, ...NOT_PUBLIC_V6])
const hostsV6 = listOf([HOSTS_V6])
const loopback = listOf(['127.0.0.0/8', '::1/128'])

function listOf(ranges: string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [network, prefix] = range.split('/') as [string, string]
    list.addSubnet(network, Number(prefix), familyOf(network))
  }
  return list
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv4(address) ? 'ipv4' : 'ipv6'
}

/**
 * Whether this is the IP address of a public host. False for anything else, such as an address with a zone
 * (`fe80::1%lo`).
 */
export function isPublicAddress(address: string): boolean {
  if (!isIP(address) || address.includes('%')) return false
  const family = familyOf(address)
  return !notPublic.check(address, family) && (family === 'ipv4' || hostsV6.check(address, family))
}

/** Parses a network that is part of a private one: an address, or an address and a prefix length. */
export function readPrivateNetwork(input: string): string | undefined {
  const [, address = '', digits] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(input) ?? []
  const maxPrefix = isIPv4(address) ? 32 : 128
  const prefix = Number(digits ?? maxPrefix)
  if (!isIP(address) || prefix > maxPrefix) return undefined
  const isPart = (range: string) => {
    const [network, bits] = range.split('/') as [string, string]
    const isSameFamily = familyOf(network) === familyOf(address)
    return isSameFamily && prefix >= Number(bits) && listOf([range]).check(address, familyOf(address))
  }
  return PRIVATE.some(isPart) ? `${address}/${prefix}` : undefined
}

/** The addresses besides public ones to which events may go. `networks`: `TIWALA_CALLBACK_NETWORKS`. */
export type CallbackAddresses = { allowLoopback: boolean; networks?: string[] }

/** Whether a partner's server may have an IP address. */
export function createAddressCheck({ allowLoopback, networks = [] }: CallbackAddresses) {
  const allowed = listOf(networks)
  const isInNetwork = (address: string) => {
    if (!isIP(address) || address.includes('%')) return false
    const family = familyOf(address)
    return allowed.check(address, family) && !privateMetadata.check(address, family)
  }
  return (address: string): boolean =>
    isPublicAddress(address) || (allowLoopback && LOOPBACK.has(address)) || isInNetwork(address)
}

/** Whether the host of a URL is this machine. */
export function isLoopbackHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host)) return !host.includes('%') && loopback.check(host, familyOf(host))
  return /^(.+\.)?localhost\.?$/i.test(host)
}

/** Whether the host of a URL cannot be a domain of another site: an IP address, or a name without a dot. */
export function isOwnHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  return isIP(host) > 0 || !host.includes('.') || isLoopbackHost(host)
}

/** Whether the header `Host` of a request names the host and port of a URL, in any case, with or without its usual port. */
export function isHostOf(host: string | undefined, text: string | undefined): boolean {
  const url = URL.parse(text ?? '')
  return url !== null && URL.parse(`${url.protocol}//${host ?? ''}`)?.host === url.host
}

export type Address = { host: string; port: number }

/** Parses `host:port`; an IPv6 host is in brackets. */
export function readAddress(input: string): Address | undefined {
  const [, host, number] = /^(\[[\da-fA-F:.]+\]|[\w.-]+):(\d{1,5})$/.exec(input) ?? []
  if (!host || Number(number) < 1 || Number(number) > 65_535) return undefined
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(number) }
}

const IPV6_PREFIX_BITS = 64

/**
 * The address by which a request is counted. For IPv6 it is the network of 64 bits, since one customer
 * usually has all of it.
 */
export const addressOf = ({ ip = '' }: { ip?: string | undefined }): string =>
  ip.includes(':') ? ipKeyGenerator(ip, IPV6_PREFIX_BITS) : ip

/** What a provider usually gives to one site. */
const IPV6_SITE_BITS = 48

/** The network that one party may have as a whole: 256 IPv4 addresses, or an IPv6 network of 48 bits. */
export function networkOf({ ip = '' }: { ip?: string | undefined }): string {
  // An IPv4 address that stands in an IPv6 one comes back as IPv4.
  const network = ip.includes(':') ? ipKeyGenerator(ip, IPV6_SITE_BITS) : ip
  return isIPv4(network) ? network.replace(/\d+$/, '0/24') : network
}
