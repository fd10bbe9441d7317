// No spelling of an address makes the server deliver an event to an internal address (SSRF).
import { request } from 'node:https'
import { isIPv6, type LookupFunction } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSender, type SendResult } from '../../src/webhooks/send.ts'
import { startConnectionCounter, type ConnectionCounter } from '../kit/connection-counter.ts'
import { FORBIDDEN_ADDRESSES, forbiddenUrls } from './forbidden-urls.ts'

/** In the range of public addresses but not routed: it was returned (RFC 3701). */
const PUBLIC = '3ffe::1'
const REFUSED: SendResult = { failure: 'address not allowed' }

let counter: ConnectionCounter
beforeAll(async () => void (counter = await startConnectionCounter()))
afterAll(() => counter[Symbol.asyncDispose]())

/** A resolver that returns one list of addresses after the other, for any name. The last list repeats. */
function createResolver(...responses: string[][]): { lookup: LookupFunction; lookups(): number } {
  let lookups = 0
  const lookup: LookupFunction = (_name, options, callback) => {
    const addresses = responses[Math.min(lookups++, responses.length - 1)]!.map((address) => ({
      address,
      family: isIPv6(address.replace(/%.*/, '')) ? 6 : 4,
    }))
    if (options.all) callback(null, addresses)
    else callback(null, addresses[0]!.address, addresses[0]!.family)
  }
  return { lookup, lookups: () => lookups }
}

const toThisMachine = () => createResolver(['127.0.0.1']).lookup

const PLAIN = { headers: {}, body: '{}', signal: new AbortController().signal }

type Options = Partial<Parameters<typeof createSender>[0]>

async function post(url: string, options: Options = {}): Promise<SendResult> {
  const { send, close } = createSender({
    allowLoopback: false,
    lookup: toThisMachine(),
    timeoutMs: 1_000,
    ...options,
  })
  return send({ ...PLAIN, url }).finally(close)
}

/** Returns the URLs that were not refused, their outcomes, and the number of connections. */
async function findAccepted(urls: string[], options: Options = {}) {
  const before = counter.connections()
  const outcomes = await Promise.all(urls.map(async (url) => [url, await post(url, options)] as const))
  const accepted = outcomes.filter(([, sent]) => JSON.stringify(sent) !== JSON.stringify(REFUSED))
  return { accepted, connections: counter.connections() - before }
}

const NOTHING = { accepted: [], connections: 0 }
/** The URLs with the port of the connection counter, or without a port for the titles. */
const groups = (port = 0) => Object.fromEntries(forbiddenUrls(port))

describe('live', () => {
  test.each(Object.keys(groups()))('no connection: %s', async (group) => {
    expect(await findAccepted(groups(counter.port)[group]!)).toEqual(NOTHING)
  })

  test('control: there are more than 60 forbidden URLs', () => {
    expect(Object.values(groups()).flat().length).toBeGreaterThan(60)
  })

  test('no connection: localhost in the resolution of this machine', async () => {
    const before = counter.connections()
    const { send, close } = createSender({ allowLoopback: false })
    for (const host of ['localhost', 'LOCALHOST', 'localhost.'])
      expect(await send({ ...PLAIN, url: `https://${host}:${counter.port}/` })).toHaveProperty('failure')
    close()
    expect(counter.connections()).toBe(before)
  })

  test.each(FORBIDDEN_ADDRESSES)(
    'no connection: a name that resolves to %s, alone or beside a public address',
    async (address) => {
      for (const addresses of [[address], [PUBLIC, address], [address, PUBLIC]])
        expect(
          await findAccepted([`https://good.example:${counter.port}/`], {
            lookup: createResolver(addresses).lookup,
          }),
        ).toEqual(NOTHING)
    },
  )

  test('no connection: the name is resolved once, its checked address used (DNS rebinding)', async () => {
    const { lookup, lookups } = createResolver([PUBLIC], ['127.0.0.1'])
    const before = counter.connections()
    expect(await post(`https://good.example:${counter.port}/`, { lookup, timeoutMs: 100 })).not.toEqual(
      REFUSED,
    )
    expect([lookups(), counter.connections()]).toEqual([1, before])
    expect(await post(`https://good.example:${counter.port}/`, { lookup })).toEqual(REFUSED)
    expect([lookups(), counter.connections()]).toEqual([2, before])
  })

  test('no connection: a URL without TLS or with credentials, even to a public address', async () => {
    const urls = [
      'http://good.example',
      'ftp://good.example',
      'https://user@good.example',
      'https://user:secret@good.example',
      'https://:secret@good.example',
    ]
    const { lookup, lookups } = createResolver([PUBLIC])
    expect(await findAccepted(urls, { lookup })).toEqual(NOTHING)
    expect(lookups()).toBe(0)
  })
})

describe('live with private networks that are allowed', () => {
  const networks = ['10.0.0.0/8', '100.64.0.0/10', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']
  const PRIVATE = new Set(['10.0.0.1', '172.16.0.1', '192.168.1.1', '100.64.0.1', 'fc00::1'])

  test.each(FORBIDDEN_ADDRESSES.filter((address) => !PRIVATE.has(address)))(
    'no connection: a name that resolves to %s, alone or beside an allowed address',
    async (address) => {
      for (const addresses of [[address], ['10.0.0.1', address], [address, '10.0.0.1']])
        expect(
          await findAccepted([`https://good.example:${counter.port}/`], {
            lookup: createResolver(addresses).lookup,
            networks,
          }),
        ).toEqual(NOTHING)
    },
  )

  test.each([...PRIVATE])(
    'a name that resolves to %s, and the address itself, are allowed',
    async (address) => {
      const { lookup } = createResolver([address])
      const host = isIPv6(address) ? `[${address}]` : address
      for (const url of [`https://good.example:${counter.port}/`, `https://${host}:${counter.port}/`]) {
        expect(await post(url, { lookup, networks, timeoutMs: 100 })).not.toEqual(REFUSED)
        expect(await post(url, { lookup, timeoutMs: 100 })).toEqual(REFUSED)
      }
    },
  )

  test('no connection: without TLS', async () => {
    expect(await findAccepted(['http://10.0.0.1', 'http://good.example'], { networks })).toEqual(NOTHING)
  })
})

describe('sandbox', () => {
  const sandbox = { allowLoopback: true }

  test('no connection: only loopback is allowed, by its common names, and http only there', async () => {
    const { 'networks that are not public': others, 'metadata of clouds': metadata } = groups(counter.port)
    expect(await findAccepted([...others!, ...metadata!], sandbox)).toEqual(NOTHING)
    const http = [
      'good.example',
      'a.localhost',
      '10.0.0.1',
      '169.254.169.254',
      '127.0.0.2',
      '[::ffff:127.0.0.1]',
      '0.0.0.0',
      '[::]',
    ]
    expect(
      await findAccepted(
        http.map((host) => `http://${host}:${counter.port}/`),
        sandbox,
      ),
    ).toEqual(NOTHING)
    for (const address of FORBIDDEN_ADDRESSES.filter((each) => !['127.0.0.1', '::1'].includes(each)))
      expect(
        await findAccepted([`http://localhost:${counter.port}/`], {
          ...sandbox,
          lookup: createResolver([address]).lookup,
        }),
      ).toEqual(NOTHING)
  })

  test('no connection: a URL with credentials, although its address is allowed', async () => {
    const origins = [
      'http://user@localhost',
      'http://user:secret@127.0.0.1',
      'https://:secret@[::1]',
      'https://user@good.example',
    ]
    expect(
      await findAccepted(
        origins.map((origin) => `${origin}:${counter.port}/`),
        sandbox,
      ),
    ).toEqual(NOTHING)
  })

  test('control: allowed URLs do connect', async () => {
    const allowed = [
      'https://127.0.0.1',
      'https://[::1]',
      'http://127.0.0.1',
      'http://[::1]',
      'http://localhost',
      'https://good.example',
    ]
    const { accepted, connections } = await findAccepted(
      allowed.map((origin) => `${origin}:${counter.port}/`),
      sandbox,
    )
    expect([accepted.length, connections]).toEqual([allowed.length, allowed.length])
  })
})

test('control: without the address check, most spellings of this machine do connect', async () => {
  const {
    'this machine, in IPv4': v4,
    'this machine, in other scripts': unicode,
    'names of this machine': names,
  } = groups(counter.port)
  const before = counter.connections()
  const urls = [...v4!, ...unicode!, ...names!]
  await Promise.all(
    urls.map(
      (url) =>
        new Promise(
          (resolve) =>
            void request(url, { lookup: toThisMachine(), agent: false }).on('error', resolve).end(),
        ),
    ),
  )
  expect(counter.connections() - before).toBeGreaterThan(urls.length * 0.9)
})
