import { connect as connectTcp, isIP } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { reasonOf } from '../describe-error.ts'
import { type CallbackAddresses, createAddressCheck } from '../network/addresses.ts'
import { CONNECT_TIMEOUT_MS } from '../network/fetch-response.ts'
import { createLookup } from '../network/lookup.ts'
import { AddressNotAllowed, checked } from '../webhooks/connections.ts'
import { type Finding, problem, note, ok } from './finding.ts'

const TIMEOUT_MS = 5_000

/** Connects to the servers that receive events, and sends nothing. */
export async function checkCallbacks(urls: string[], addresses: CallbackAddresses): Promise<Finding[]> {
  const origins = [...new Set(urls.map((url) => new URL(url).origin))]
  if (!origins.length)
    return [
      note(
        'callbacks',
        'no partner has a callback URL. To check the way out: tiwala doctor --callback <url>',
      ),
    ]
  return Promise.all(origins.map((origin) => checkCallback(new URL(origin), addresses)))
}

async function checkCallback(url: URL, addresses: CallbackAddresses): Promise<Finding> {
  try {
    await connectTo(url, addresses)
    return ok('callbacks', `${url.host} accepts connections`)
  } catch (error) {
    if (error instanceof AddressNotAllowed)
      return problem(
        'callbacks',
        `${url.host} gets no events, since its address is not allowed. If it is in a private network of yours, ` +
          'name the network in TIWALA_CALLBACK_NETWORKS.',
      )
    return problem(
      'callbacks',
      `${url.host} cannot be reached (${reasonOf(error)}). Allow outgoing connections to this port and DNS, ` +
        'or ask the partner to correct its server.',
    )
  }
}

/** Resolves and checks the address as a delivery does, and verifies the certificate. */
function connectTo({ protocol, hostname, port }: URL, addresses: CallbackAddresses): Promise<void> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const isAllowed = createAddressCheck(addresses)
  const options = {
    host,
    lookup: checked(createLookup(), isAllowed),
    autoSelectFamilyAttemptTimeout: CONNECT_TIMEOUT_MS,
  }
  return new Promise((resolve, reject) => {
    // Node looks up no host that is an address already.
    if (isIP(host) && !isAllowed(host)) return reject(new AddressNotAllowed(host))
    const socket =
      protocol === 'https:'
        ? connectTls({ ...options, port: Number(port || 443), ...(!isIP(host) && { servername: host }) })
        : connectTcp({ ...options, port: Number(port || 80) })
    socket.setTimeout(TIMEOUT_MS, () =>
      socket.destroy(Object.assign(new Error('no response in time'), { code: 'ETIMEDOUT' })),
    )
    socket.once('error', reject)
    socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', () => {
      socket.destroy()
      resolve()
    })
  })
}
