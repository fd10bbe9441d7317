import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Schemas } from '@tiwala/contract'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { json } from '../kit/body-forms.ts'
import { createSandbox } from '../kit/sandbox.ts'
import { startServiceForFile, startTestService, type TestService } from '../kit/test-service.ts'

const service = await startServiceForFile()

const CITIZEN = {
  first_name: 'Ana',
  last_name: 'Cruz',
  middle_name: null,
  suffix: null,
  birth_date: '1990-04-17',
  gender: 'female',
  passport: false,
  behavior: 'manual',
}

/** What the limit per second lets pass. */
const AT_ONCE = 5

async function flood(url: string, count: number) {
  const responses = await Promise.all(
    Array.from({ length: count }, () => fetch(`${url}/sandbox`, { method: 'POST' })),
  )
  return Promise.all(
    responses.map(async (response) => ({
      status: response.status,
      wait: Number(response.headers.get('retry-after')),
      body: (await response.json()) as Partial<Schemas['Error']>,
    })),
  )
}

/**
 * Floods until the limit is reached, then once more; returns the last responses. A machine that is busy may
 * refuse a request before that with 503, so the counts of single floods differ.
 */
async function floodBeyond(own: TestService, limit: number) {
  // The default sandbox does not count.
  const count = async () => (await own.countRows('sandbox'))[0]! - 1
  const fill = async () => {
    await flood(own.url, AT_ONCE)
    return count()
  }
  await expect.poll(fill, { interval: 1_000 }).toBe(limit)
  // An address can send only a few of these requests in a second.
  await setTimeout(1_000)
  const responses = await flood(own.url, AT_ONCE - 1)
  expect(await count()).toBe(limit)
  return responses
}

describe('a flood of new sandboxes', () => {
  test('429: beyond 5 a second from one address, and beyond 20 changes of one a second', async () => {
    const own = await startTestService({})
    const answers = await flood(own.url, 12)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThanOrEqual(2)
    expect(refused[0]).toMatchObject({ wait: 1, body: { error: 'rate_limited' } })
    const { sandbox_id } = answers.find(({ status }) => status === 201)!.body as { sandbox_id?: string }
    const change = () => fetch(`${own.url}/sandbox/${sandbox_id}/condition`, { method: 'PUT' })
    const changeOften = async () =>
      (await Promise.all(Array.from({ length: 60 }, change))).map(({ status }) => status)
    await expect.poll(changeOften, { interval: 1 }).toContain(429)
    await own.close()
  })

  test('429: beyond the number of one address, also at the same moment, until one is deleted', async () => {
    const own = await startTestService({ TIWALA_SANDBOXES_PER_ADDRESS: '3' })
    const first = await createSandbox(own.url)
    for (const { status, body, wait } of await floodBeyond(own, 3)) {
      expect([status, body.message]).toEqual([429, expect.stringContaining('3 sandboxes')])
      expect(wait).toBeGreaterThan(80_000)
    }
    await first.change('DELETE', '')
    await createSandbox(own.url)
    await own.close()
  })

  test('429: beyond the number of one network', async () => {
    const own = await startTestService({
      TIWALA_SANDBOXES_PER_NETWORK: '3',
      TIWALA_TRUSTED_PROXIES: '127.0.0.1,::1',
    })
    const createFrom = (address: string) =>
      fetch(`${own.url}/sandbox`, { method: 'POST', headers: { 'X-Forwarded-For': address } })
    const create = async (address: string) => (await createFrom(address)).status
    // When a sandbox of another network ends, this network gets no room.
    await createFrom('192.0.2.1')
    await sql`update sandbox set expires_at = now() + interval '60 s'`.execute(own.db)
    const created = []
    for (const address of ['198.51.100.1', '198.51.100.200', '198.51.100.7', '198.51.100.8', '198.51.101.1'])
      created.push(await create(address))
    expect(created).toEqual([201, 201, 201, 429, 201])
    const refused = await createFrom('198.51.100.9')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(80_000)
    const inOneSite = []
    for (const network of ['1', '2', 'ffff', '3']) inOneSite.push(await create(`2001:db8:7:${network}::1`))
    expect([...inOneSite, await create('2001:db8:8::1')]).toEqual([201, 201, 201, 429, 201])
    await own.close()
  })

  test('503: beyond the number of all addresses, with a way on', async () => {
    const own = await startTestService({ TIWALA_SANDBOXES: '3' })
    for (const { status, body } of await floodBeyond(own, 3))
      expect([status, body.message]).toEqual([
        503,
        expect.stringMatching(/All 3 sandboxes are in use.*\/sandbox\/bootstrap\.json/),
      ])
    await own.close()
  })
})

describe('requests to a sandbox', async () => {
  const own = await createSandbox(service.url)

  test.each([
    ['POST', 'clock', {}, 'advance_seconds'],
    ['POST', 'clock', { advance_seconds: 401 * 86_400 }, 'advance_seconds'],
    ['PUT', 'condition', { condition: 'constructor' }, 'condition'],
    ['PUT', 'condition', {}, 'condition'],
    ['POST', 'events', { type: 'toString' }, 'type'],
    ['PUT', 'inbox/refusals', { count: 6 }, 'count'],
    ['PUT', 'callback', { callback_url: 'http://example.com/events' }, 'callback_url'],
    ['PUT', 'callback', { callback_url: 'https://192.168.1.1/events' }, 'callback_url'],
    ['PUT', 'callback', { callback_url: 7 }, 'callback_url'],
    ['PUT', 'callback', { callback_url: ' ' }, 'callback_url'],
    ['POST', 'citizens', {}, 'first_name'],
    ['POST', 'citizens', { first_name: ' ', birth_date: '2001-02-30' }, 'birth_date'],
    ['POST', 'citizens', { first_name: 'Ana\u202e' }, 'first_name'],
    ['POST', 'citizens', { ...CITIZEN, birth_date: '2199-01-01' }, 'birth_date'],
  ])('422: %s %s %j names the wrong field', async (method, path, body, field) => {
    const refused = await own.change(method, path, body)
    expect(refused).toMatchObject({ status: 422, body: { error: 'validation_failed' } })
    expect(Object.keys(refused.body.errors!)).toContain(field)
  })

  test('429: more than 60 changes of a kind in a minute, of one sandbox, since their audit rows remain', async () => {
    const countAudit = async () => (await service.countRows('audit_event'))[0]!
    const [busy, other] = [await createSandbox(service.url), await createSandbox(service.url)]
    const before = await countAudit()
    const statuses: number[] = []
    const send = async () => {
      const { status, headers } = await fetch(`${busy.address}/callback`, {
        method: 'PUT',
        ...json({ callback_url: statuses.length % 2 ? null : 'http://localhost:9/' }),
      })
      // The limit of the address lasts for one second.
      if (status !== 429 || headers.get('retry-after') !== '1') statuses.push(status)
      return statuses.length
    }
    // Of two minutes, if the first one ends meanwhile.
    await expect.poll(send, { interval: 10, timeout: 30_000 }).toBe(125)
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
    const done = statuses.filter((status) => status === 200).length
    expect([60, 120]).toContain(done)
    expect((await countAudit()) - before).toBeLessThanOrEqual(done)
    await setTimeout(1_000)
    expect((await other.change('PUT', 'callback', { callback_url: null })).status).toBe(200)
    expect((await busy.change('PUT', 'condition', { condition: 'normal' })).status).toBe(200)
  })

  test('429: one address reads 8 MiB of events in a second', async () => {
    const full = await createSandbox(service.url)
    const { body: partner } = await full.operator('readPartner', { path: full.partner })
    // As JSON, each character takes six bytes.
    const init = { method: 'POST', body: '\x01'.repeat(4 * 1_024) }
    for (let count = 0; count < 100; count++)
      expect((await fetch(partner.callback_url!, init)).status).toBe(204)
    const read = async () => {
      const response = await fetch(`${full.address}/inbox.json`)
      await response.arrayBuffer()
      return response.status
    }
    const statuses = await Promise.all(Array.from({ length: 20 }, read))
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
  })

  test('422: more than 30 citizens', async () => {
    const full = await createSandbox(service.url)
    async function add(): Promise<number> {
      let status = 0
      const send = async () => (status = (await full.change('POST', 'citizens', CITIZEN)).status)
      // The changes of an address are limited per second.
      await expect.poll(send, { interval: 100 }).not.toBe(429)
      return status
    }
    for (let count = full.citizens.length; count < 30; count++) expect(await add()).toBe(201)
    expect(await add()).toBe(422)
  })

  test('200: no cache may store a response', async () => {
    const { headers } = await fetch(own.address)
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test('404: an inbox with another key', async () => {
    const path = `sandbox/inboxes/${randomUUID()}`
    expect((await fetch(`${service.url}/${path}`, { method: 'POST', body: '{}' })).status).toBe(404)
  })

  test('422: a public sandbox sends no events to its own machine', async () => {
    const other = await startTestService({ TIWALA_PUBLIC_URL: 'https://sandbox.example' })
    const sandbox = await createSandbox(`http://127.0.0.1:${other.config.listeners[0]!.port}`)
    const callback = { callback_url: 'http://localhost:9/events' }
    expect((await sandbox.change('PUT', 'callback', callback)).status).toBe(422)
    expect((await own.change('PUT', 'callback', callback)).status).toBe(200)
    await other.close()
  })

  test('404: an unknown sandbox', async () => {
    const unknown = await fetch(`${service.url}/sandbox/sbx_${'0'.repeat(22)}/requests`)
    expect([unknown.status, await unknown.json()]).toEqual([
      404,
      expect.objectContaining({ error: 'not_found', message: expect.stringContaining('POST /sandbox') }),
    ])
  })
})
