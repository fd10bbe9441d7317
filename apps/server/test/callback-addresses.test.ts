// SECURITY section 3: no spelling of an address leads an event anywhere but to a partner's server.
import { request } from 'node:https'
import { isIPv6, type LookupFunction } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSender, type SendResult } from '../src/webhooks/send.ts'
import { HOSTILE_ADDRESSES, hostileUrls } from './hostile-addresses.ts'
import { startTripwire, type Tripwire } from './tripwire.ts'

/** In the range of public hosts, and routed nowhere: it was given back (RFC 3701). */
const PUBLIC = '3ffe::1'
const REFUSED: SendResult = { failure: 'address not allowed' }

let wire: Tripwire
beforeAll(async () => void (wire = await startTripwire()))
afterAll(() => wire[Symbol.asyncDispose]())

/** A resolver that knows one answer at a time, whatever is asked; the last one stays. */
function resolving(...answers: string[][]): { lookup: LookupFunction; asked(): number } {
  let asked = 0
  const lookup: LookupFunction = (_name, options, tell) => {
    const found = answers[Math.min(asked++, answers.length - 1)]!.map((address) => ({
      address,
      family: isIPv6(address.replace(/%.*/, '')) ? 6 : 4,
    }))
    if (options.all) tell(null, found)
    else tell(null, found[0]!.address, found[0]!.family)
  }
  return { lookup, asked: () => asked }
}

const toThisMachine = () => resolving(['127.0.0.1']).lookup

const PLAIN = { headers: {}, body: '{}', signal: new AbortController().signal }

type Options = Partial<Parameters<typeof createSender>[0]>

async function post(url: string, options: Options = {}): Promise<SendResult> {
  const { send, close } = createSender({ allowLoopback: false, lookup: toThisMachine(), timeoutMs: 1_000, ...options })
  return send({ ...PLAIN, url }).finally(close)
}

/** Those that were not refused, with what became of them, and how many connections were made. */
async function slippedThrough(urls: string[], options: Options = {}) {
  const before = wire.connections()
  const outcomes = await Promise.all(urls.map(async (url) => [url, await post(url, options)] as const))
  const slipped = outcomes.filter(([, sent]) => JSON.stringify(sent) !== JSON.stringify(REFUSED))
  return { slipped, connections: wire.connections() - before }
}

const NOTHING = { slipped: [], connections: 0 }
/** With the port of the tripwire once there is one. */
const groups = (port = 0) => Object.fromEntries(hostileUrls(port))

describe('live', () => {
  test.each(Object.keys(groups()))('no connection: %s', async (group) => {
    expect(await slippedThrough(groups(wire.port)[group]!)).toEqual(NOTHING)
  })

  test('no connection: as many forms as SECURITY asks for, and more', () => {
    expect(Object.values(groups()).flat().length).toBeGreaterThan(60)
  })

  test('no connection: localhost as this machine itself resolves it', async () => {
    const before = wire.connections()
    const { send, close } = createSender({ allowLoopback: false })
    for (const host of ['localhost', 'LOCALHOST', 'localhost.'])
      expect(await send({ ...PLAIN, url: `https://${host}:${wire.port}/` })).toHaveProperty('failure')
    close()
    expect(wire.connections()).toBe(before)
  })

  test.each(HOSTILE_ADDRESSES)('no connection: a name that resolves to %s, alone or beside a public address', async (address) => {
    for (const found of [[address], [PUBLIC, address], [address, PUBLIC]])
      expect(await slippedThrough([`https://good.example:${wire.port}/`], { lookup: resolving(found).lookup })).toEqual(NOTHING)
  })

  test('no connection: a name that turns hostile once it was checked: it is asked for once, and that address is taken', async () => {
    const { lookup, asked } = resolving([PUBLIC], ['127.0.0.1'])
    const before = wire.connections()
    expect(await post(`https://good.example:${wire.port}/`, { lookup, timeoutMs: 100 })).not.toEqual(REFUSED)
    expect([asked(), wire.connections()]).toEqual([1, before])
    expect(await post(`https://good.example:${wire.port}/`, { lookup })).toEqual(REFUSED)
    expect([asked(), wire.connections()]).toEqual([2, before])
  })

  test('no connection: without TLS, or with credentials in the URL, not even to a public address', async () => {
    const urls = [
      'http://good.example',
      'ftp://good.example',
      'https://user@good.example',
      'https://user:secret@good.example',
      'https://:secret@good.example',
    ]
    const { lookup, asked } = resolving([PUBLIC])
    expect(await slippedThrough(urls, { lookup })).toEqual(NOTHING)
    expect(asked()).toBe(0)
  })
})

describe('sandbox', () => {
  const sandbox = { allowLoopback: true }

  test('no connection: loopback alone is allowed, by its plain names, and http there only', async () => {
    const { 'networks that are not public': others, 'metadata of clouds': metadata } = groups(wire.port)
    expect(await slippedThrough([...others!, ...metadata!], sandbox)).toEqual(NOTHING)
    const http = ['good.example', 'a.localhost', '10.0.0.1', '169.254.169.254', '127.0.0.2', '[::ffff:127.0.0.1]', '0.0.0.0', '[::]']
    expect(
      await slippedThrough(
        http.map((host) => `http://${host}:${wire.port}/`),
        sandbox,
      ),
    ).toEqual(NOTHING)
    for (const address of HOSTILE_ADDRESSES.filter((hostile) => !['127.0.0.1', '::1'].includes(hostile)))
      expect(await slippedThrough([`http://localhost:${wire.port}/`], { ...sandbox, lookup: resolving([address]).lookup })).toEqual(NOTHING)
  })

  test('no connection: credentials in the URL, though the address is allowed', async () => {
    const origins = ['http://user@localhost', 'http://user:secret@127.0.0.1', 'https://:secret@[::1]', 'https://user@good.example']
    expect(
      await slippedThrough(
        origins.map((origin) => `${origin}:${wire.port}/`),
        sandbox,
      ),
    ).toEqual(NOTHING)
  })

  test('control: what is allowed there does reach the tripwire', async () => {
    const allowed = ['https://127.0.0.1', 'https://[::1]', 'http://127.0.0.1', 'http://[::1]', 'http://localhost', 'https://good.example']
    const { slipped, connections } = await slippedThrough(
      allowed.map((origin) => `${origin}:${wire.port}/`),
      sandbox,
    )
    expect([slipped.length, connections]).toEqual([allowed.length, allowed.length])
  })
})

test('control: without the guard, most spellings of this machine reach it', async () => {
  const { 'this machine, in IPv4': v4, 'this machine, in other scripts': unicode, 'names of this machine': names } = groups(wire.port)
  const before = wire.connections()
  const urls = [...v4!, ...unicode!, ...names!]
  await Promise.all(
    urls.map((url) => new Promise((resolve) => void request(url, { lookup: toThisMachine(), agent: false }).on('error', resolve).end())),
  )
  expect(wire.connections() - before).toBeGreaterThan(urls.length * 0.9)
})
