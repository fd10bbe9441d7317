// Looks up the addresses of partners' servers and of identity providers. The system's function (`dns.lookup`) waits
// for the answer in one of two threads that all look-ups of the process share, so two names with silent name servers
// would block every other look-up for many seconds. The queries here need no thread, and a look-up waits for no other
// one.
//
// The system still looks up a name without a dot, such as `localhost` or a service of a container network: a
// partner cannot have the name server of such a name. Other names are looked up in the file of hosts, then in DNS.
// The search domains of the system are tried only with `withSearchDomains`, after DNS has answered that it does not
// know the name: `identity.prod.svc` is a name of a container network.
import { lookup as systemLookup, type LookupAddress, NODATA, NOTFOUND } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP, type LookupFunction } from 'node:net'
import { callbackify } from 'node:util'

const TIMEOUT_MS = 5_000
/** Another name server is asked after this time. */
const SERVER_TIMEOUT_MS = 2_000

/** `withSearchDomains`: for names that the operator has chosen. The other options are for tests. */
type LookupOptions = {
  withSearchDomains?: boolean
  servers?: string[]
  hostsFile?: string
  timeoutMs?: number
}
/** The name server has answered. When it is silent, the system's look-up would wait for it, too. */
const UNKNOWN_TO_DNS = new Set<unknown>([NOTFOUND, NODATA])

/** Finds one address at least, or fails. */
export function createLookup(options: LookupOptions = {}): LookupFunction {
  const { hostsFile = '/etc/hosts', withSearchDomains = false } = options
  const find = callbackify(
    async (hostname: string) => (await readHosts(hostsFile, hostname)) ?? (await query(hostname, options)),
  )
  return (hostname, lookupOptions, done) => {
    if (!hostname.includes('.')) return systemLookup(hostname, lookupOptions, done)
    return find(hostname, (error, found) => {
      if (withSearchDomains && UNKNOWN_TO_DNS.has(error?.code)) systemLookup(hostname, lookupOptions, done)
      else if (error) done(error, '')
      else if (lookupOptions.all) done(null, found)
      else done(null, found[0]!.address, found[0]!.family)
    })
  }
}

const toAddresses = (addresses: string[]): LookupAddress[] =>
  addresses.map((address) => ({ address, family: isIP(address) }))

/** Each line of the file is an address and its names (hosts(5)). `undefined`: the name is not in the file. */
async function readHosts(file: string, hostname: string): Promise<LookupAddress[] | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const addresses = text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/)
    return isIP(address) && names.includes(hostname) ? [address] : []
  })
  return addresses.length > 0 ? toAddresses(addresses) : undefined
}

async function query(
  hostname: string,
  { servers, timeoutMs = TIMEOUT_MS }: LookupOptions,
): Promise<LookupAddress[]> {
  const resolver = new Resolver({ timeout: SERVER_TIMEOUT_MS, tries: 2 })
  if (servers) resolver.setServers(servers)
  const timer = setTimeout(() => resolver.cancel(), timeoutMs)
  const queries = [resolver.resolve4(hostname), resolver.resolve6(hostname)]
  const answers = await Promise.allSettled(queries)
  clearTimeout(timer)
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  return found.length > 0 ? toAddresses(found) : toAddresses(await queries[0]!)
}
