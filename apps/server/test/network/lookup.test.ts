// Names of partners' servers are looked up without the threads of the process, so a silent name server delays
// nothing else.
import { createSocket } from 'node:dgram'
import type { ResolverOptions } from 'node:dns'
import dns, { lookup as systemLookup } from 'node:dns/promises'
import { writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createLookup } from '../../src/network/lookup.ts'
import { fakeTimeOuts, until } from '../kit/fake-time-outs.ts'
import { temporaryFolder } from '../kit/temporary-resources.ts'

/** The options of each resolver that is made from now on. */
function watchResolvers(): unknown[] {
  const { Resolver } = dns
  const watched: unknown[] = []
  dns.Resolver = class extends Resolver {
    constructor(options?: ResolverOptions) {
      super(options)
      watched.push(options)
    }
  }
  syncBuiltinESMExports()
  onTestFinished(() => {
    dns.Resolver = Resolver
    syncBuiltinESMExports()
  })
  return watched
}

const A = 1
const AAAA = 28
const NO_SUCH_NAME = 3
type Records = Partial<Record<number, number[][]>>

/** The answer to a query (RFC 1035, section 4): the records of its type; `undefined`: the name does not exist. */
function answerTo(query: Buffer, records: Records | undefined): Buffer {
  const question = query.subarray(12, query.indexOf(0, 12) + 5)
  const type = question.readUInt16BE(question.length - 4)
  const found = records?.[type] ?? []
  const header = Buffer.from(query.subarray(0, 12))
  header.writeUInt16BE(0x8180 | (records ? 0 : NO_SUCH_NAME), 2)
  header.set([0, 1, 0, found.length, 0, 0, 0, 0], 4)
  const answers = found.map((address) =>
    Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, address.length, ...address]),
  )
  return Buffer.concat([header, question, ...answers])
}

/** A name server that answers each query as `respond` says. `null`: it stays silent. */
async function startNameServer(respond: () => Records | undefined | null) {
  let queries = 0
  const socket = createSocket('udp4', (query, { port, address }) => {
    queries++
    const records = respond()
    if (records !== null) socket.send(answerTo(query, records), port, address)
  })
  onTestFinished(() => void socket.close())
  await new Promise<void>((resolve) => void socket.bind(0, '127.0.0.1', resolve))
  return { servers: [`127.0.0.1:${socket.address().port}`], queries: () => queries }
}

const NO_HOSTS = '/no/such/file'
const lookUp = (name: string, options: Parameters<typeof createLookup>[0], all = true) =>
  promisify(createLookup({ hostsFile: NO_HOSTS, ...options }))(name, { all })

const V6 = [0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]

test('every address of both families is found', async () => {
  const { servers } = await startNameServer(() => ({
    [A]: [
      [203, 0, 113, 1],
      [203, 0, 113, 2],
    ],
    [AAAA]: [V6],
  }))
  expect(await lookUp('partner.example', { servers })).toEqual([
    { address: '203.0.113.1', family: 4 },
    { address: '203.0.113.2', family: 4 },
    { address: '2001:db8::1', family: 6 },
  ])
})

test.each([
  ['only IPv4', { [A]: [[203, 0, 113, 1]] }, '203.0.113.1'],
  ['only IPv6', { [AAAA]: [V6] }, '2001:db8::1'],
])('a name with %s', async (_what, records, address) => {
  const { servers } = await startNameServer(() => records)
  expect(await lookUp('partner.example', { servers }, false)).toBe(address)
})

test.each([
  ['does not exist', undefined, 'ENOTFOUND'],
  ['has no address', {}, 'ENODATA'],
])('a name that %s', async (_what, records, code) => {
  const { servers } = await startNameServer(() => records)
  await expect(lookUp('partner.example', { servers })).rejects.toMatchObject({ code, syscall: 'queryA' })
})

test('another name server is asked after 2 s, and a look-up ends after 5 s', async () => {
  const { servers, queries } = await startNameServer(() => null)
  const resolvers = watchResolvers()
  fakeTimeOuts()
  let ended: unknown
  lookUp('silent.example', { servers }).catch((error: unknown) => (ended = error))
  // On a busy machine, the resolver may already have asked again.
  await until(() => queries() >= 2)
  expect(resolvers).toEqual([{ timeout: 2_000, tries: 2 }])
  await vi.advanceTimersByTimeAsync(4_999)
  expect(ended).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1)
  await until(() => ended !== undefined)
  expect(ended).toMatchObject({ code: 'ECANCELLED' })
})

test('a look-up ends after its time', async () => {
  const { servers } = await startNameServer(() => null)
  await expect(lookUp('silent.example', { servers, timeoutMs: 50 })).rejects.toMatchObject({
    code: 'ECANCELLED',
    syscall: 'queryA',
  })
})

test('while many look-ups wait for a silent name server, others end', async () => {
  const silent = await startNameServer(() => null)
  const quick = await startNameServer(() => ({ [A]: [[203, 0, 113, 1]] }))
  for (let each = 0; each < 20; each++) lookUp('silent.example', silent).catch(() => {})
  await expect.poll(silent.queries).toBeGreaterThanOrEqual(20)
  expect(await lookUp('quick.example', quick, false)).toBe('203.0.113.1')
  expect(await systemLookup('localhost')).toHaveProperty('address')
})

test('the file of hosts comes before DNS', async () => {
  await using folder = await temporaryFolder()
  const hostsFile = join(folder.path, 'hosts')
  await writeFile(
    hostsFile,
    '127.0.0.1 localhost\n# 203.0.113.9 partner.example\n10.1.2.3\tOther.example Partner.Example # ours\n' +
      'fd00::3 partner.example\nnot-an-address partner.example\n203.0.113.8 sub.partner.example\n',
  )
  const { servers, queries } = await startNameServer(() => undefined)
  expect(await lookUp('partner.example', { servers, hostsFile })).toEqual([
    { address: '10.1.2.3', family: 4 },
    { address: 'fd00::3', family: 6 },
  ])
  expect(queries()).toBe(0)
  await expect(lookUp('example', { servers, hostsFile })).rejects.toMatchObject({ syscall: 'getaddrinfo' })
})

test('with search domains the system looks up a name that DNS does not know, but not one that DNS does not answer', async () => {
  const options = { withSearchDomains: true, timeoutMs: 50 }
  for (const records of [undefined, {}]) {
    const { servers } = await startNameServer(() => records)
    await expect(lookUp('unknown.invalid', { ...options, servers })).rejects.toMatchObject({
      syscall: 'getaddrinfo',
    })
  }
  const { servers } = await startNameServer(() => null)
  await expect(lookUp('silent.invalid', { ...options, servers })).rejects.toMatchObject({ syscall: 'queryA' })
})

test('the system looks up a name without a dot', async () => {
  const { servers, queries } = await startNameServer(() => undefined)
  expect(await lookUp('localhost', { servers })).toContainEqual({ address: '127.0.0.1', family: 4 })
  expect(queries()).toBe(0)
})
