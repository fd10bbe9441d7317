// What anonymous browsers can take from the service: open pages, and connections to the database.
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { errorBody } from '../kit/error-body.ts'
import { arrive, authorizationUrl, relyingParty } from '../kit/relying-party.ts'
import { startServiceForFile, startTestService, type TestService } from '../kit/test-service.ts'

const service = await startServiceForFile({})

const newVisit = async (own: TestService) => {
  const { partner } = await relyingParty(own)
  return { partner, ...(await arrive(own.url, authorizationUrl(own.url, partner.code))) }
}

type Visit = Awaited<ReturnType<typeof newVisit>>
const openStream = ({ browser, base }: Visit, init?: RequestInit) => browser.request(`${base}/changes`, init)

/** From now on, each read of a page sees the state of its start, and takes some seconds. */
async function slowReads(own: TestService): Promise<void> {
  await sql`
    create or replace function clock_now() returns timestamptz language plpgsql volatile as $$
    begin
      if current_query() like '%seconds_left%interaction_uid%' then perform pg_sleep(0.8); end if;
      return clock_timestamp() + (select advance from clock);
    end $$`.execute(own.db)
}

const untilReading = async (own: TestService, count: number) => {
  const countReads = async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`.execute(
      own.db,
    )
    return rows.length
  }
  await expect.poll(countReads, { interval: 20 }).toBe(count)
}

test('429: a sixth open page of a sign-in, until one is closed; other sign-ins are free', async () => {
  const [visit, other] = [await newVisit(service), await newVisit(service)]
  const streams = []
  for (let count = 1; count <= 5; count++) streams.push(await openStream(visit))
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  const refused = await openStream(visit)
  expect(await errorBody(refused)).toMatchObject({ status: 429, error: 'rate_limited' })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  streams.push(await openStream(other))
  expect(streams.at(-1)!.status).toBe(200)
  await streams[0]!.body!.cancel()
  await expect
    .poll(async () => {
      const response = await openStream(visit)
      streams.push(response)
      return response.status
    })
    .toBe(200)
  await Promise.all(streams.slice(1).map(({ body }) => body!.cancel()))
  await expect.poll(() => service.waiting()).toBe(0)
})

test('429: more than 500 open pages from one address, until one is closed', async () => {
  const own = await startTestService({})
  onTestFinished(() => own.close(0))
  const { partner } = await relyingParty(own)
  const url = authorizationUrl(own.url, partner.code)
  const visits = await Promise.all(
    Array.from({ length: 101 }, async () => ({ partner, ...(await arrive(own.url, url)) })),
  )
  const [last, ...others] = visits
  const responses = await Promise.all(
    others.flatMap((visit) => Array.from({ length: 5 }, () => openStream(visit))),
  )
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
  expect((await openStream(last!)).status).toBe(429)
  await responses[0]!.body!.cancel()
  await expect.poll(async () => (await openStream(last!)).status).toBe(200)
})

test('a page whose browser has gone before its stream began takes no place', async () => {
  const own = await startTestService({})
  onTestFinished(() => own.close(0))
  const visit = await newVisit(own)
  await slowReads(own)
  const aborter = new AbortController()
  const streams = Array.from({ length: 5 }, () => openStream(visit, { signal: aborter.signal }))
  await untilReading(own, 5)
  aborter.abort()
  await Promise.allSettled(streams)
  await untilReading(own, 0)
  const { status, body } = await openStream(visit)
  expect(status).toBe(200)
  await body!.cancel()
  await expect.poll(() => own.waiting()).toBe(0)
})

test('200, 503: pages of sign-ins take no wait from partners, and have a limit of their own', async () => {
  const own = await startTestService({ TIWALA_MAX_WAITING: '1' })
  const [first, second] = [await newVisit(own), await newVisit(own)]
  const { partner, trackingNo } = await own.pending()
  expect((await openStream(first)).status).toBe(200)
  const refused = await openStream(second)
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([503, true])
  const waiting = own.send('inquire', {
    query: `tracking_no=${trackingNo}`,
    headers: { ...partner.headers, Prefer: 'wait=25' },
  })
  await expect.poll(() => own.waiting()).toBe(2)
  await own.close()
  expect((await waiting).status).toBe(200)
})

test('a read of a page that fails ends its stream, so that the page asks again', async () => {
  const own = await startTestService({})
  onTestFinished(() => own.close(0))
  const visit = await newVisit(own)
  const reader = (await openStream(visit)).body!.getReader()
  expect((await reader.read()).done).toBe(false)
  const holder = await own.db.startTransaction().execute()
  onTestFinished(() => holder.rollback().execute())
  await sql`lock table sign_in_request in access exclusive mode`.execute(holder)
  const { rows } = await sql<{ id: string }>`select id from sign_in_request`.execute(holder)
  await sql`select pg_notify('tiwala', 'sign_in ' || ${rows[0]!.id})`.execute(own.db)
  expect((await reader.read()).done).toBe(true)
})

test('an open page reads its state every 15 s, and when its request has expired, until the browser goes', async () => {
  const visit = await newVisit(service)
  const [intervals, timeouts, clears] = [
    vi.spyOn(globalThis, 'setInterval'),
    vi.spyOn(globalThis, 'setTimeout'),
    vi.spyOn(globalThis, 'clearTimeout'),
  ]
  onTestFinished(() => void vi.restoreAllMocks())
  const reader = (await openStream(visit)).body!.pipeThrough(new TextDecoderStream()).getReader()
  expect((await reader.read()).value).toContain('"wait"')
  const [readState] = intervals.mock.calls.find(([, ms]) => ms === 15_000)!
  const timersOf = (isOwn: (act: { name: string }) => boolean) =>
    [intervals, timeouts].flatMap(({ mock }) =>
      mock.calls.flatMap(([act, ms], index) =>
        isOwn(act) ? [{ ms: Number(ms), timer: mock.results[index]!.value as unknown }] : [],
      ),
    )
  const reads = timersOf((act) => act === readState)
  expect(reads.map(({ ms }) => Math.ceil(ms / 15_000))).toEqual([1, 21])
  readState()
  expect((await reader.read()).value).toContain('"wait"')
  await reader.cancel()
  await expect.poll(() => service.waiting()).toBe(0)
  const cleared = new Set<unknown>(clears.mock.calls.flat())
  expect(reads.every(({ timer }) => cleared.has(timer))).toBe(true)
  // Of the pause after a read.
  expect(timersOf(({ name }) => name === 'resume').some(({ timer }) => cleared.has(timer))).toBe(true)
})

test('a change while the page reads an earlier one arrives at once, not with the next heartbeat', async () => {
  const own = await startTestService({})
  onTestFinished(() => own.close(0))
  const visit = await newVisit(own)
  const reader = (await openStream(visit)).body!.pipeThrough(new TextDecoderStream()).getReader()
  expect((await reader.read()).value).toContain('"wait"')
  const { rows } = await sql<{ id: string }>`select id from sign_in_request`.execute(own.db)
  const notify = () => sql`select pg_notify('tiwala', 'sign_in ' || ${rows[0]!.id})`.execute(own.db)
  await slowReads(own)
  await notify()
  await untilReading(own, 1)
  await sql`update sign_in_request set state = 'CANCELLED'`.execute(own.db)
  await notify()
  const changed = (async () => {
    for (let text = ''; ;) {
      text += (await reader.read()).value ?? '(the end)'
      if (/"reload"|the end/.test(text)) return text
    }
  })()
  expect(await Promise.race([changed, pause(8_000, 'late')])).toContain('"reload"')
})

/** A request with a form of which nothing was sent yet. Its headers have arrived. */
async function startForm(url: string, length: number) {
  const outgoing = request(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      'Content-Length': length,
      Expect: '100-continue',
    },
  })
  outgoing.on('error', () => {}).flushHeaders()
  await once(outgoing, 'continue')
  return outgoing
}

test('400, 413: a body that comes slowly holds no slot, and a large one is refused', async () => {
  // A slot for OpenID Connect.
  const own = await startTestService({ TIWALA_MAX_IN_FLIGHT: '4', TIWALA_MAX_QUEUED: '0' })
  onTestFinished(() => own.close(0))
  const form = 'grant_type=authorization_code'
  const slow = await startForm(`${own.url}/oidc/token`, form.length)
  const others = await Promise.all(
    ['request', 'me', 'token/revocation'].map((path) => startForm(`${own.url}/oidc/${path}`, 100)),
  )
  await pause(100)
  const { status } = await fetch(`${own.url}/oidc/jwks`)
  for (const other of others) other.destroy()
  expect(status).toBe(200)
  slow.end(form)
  const [response] = (await once(slow, 'response')) as [IncomingMessage]
  expect([response.statusCode, await json(response)]).toMatchObject([400, { error: 'invalid_request' }])
  const statusOf = async (bytes: number) => {
    const body = new URLSearchParams({ grant_type: 'x'.repeat(bytes) })
    return (await fetch(`${own.url}/oidc/token`, { method: 'POST', body })).status
  }
  expect([await statusOf(57_000), await statusOf(58_000)]).toEqual([400, 413])
})

test('503: anonymous requests beyond their slots, while the API answers; an open page holds none', async () => {
  // A slot for OpenID Connect, four for the API.
  const own = await startTestService({ TIWALA_MAX_IN_FLIGHT: '4', TIWALA_MAX_QUEUED: '0' })
  onTestFinished(() => own.close(0))
  const visit = await newVisit(own)
  const { partner, trackingNo } = await own.pending()
  expect((await openStream(visit)).status).toBe(200)
  const { base, browser } = visit
  await slowReads(own)
  const first = browser.request(`${base}/state`)
  await untilReading(own, 1)
  for (const url of [base, `${base}/qr.svg`, `${own.url}/oidc/auth`, `${own.url}/oidc/jwks`]) {
    const { status, headers } = await browser.request(url)
    expect([status, Number(headers.get('retry-after')) > 0]).toEqual([503, true])
  }
  expect((await partner.profiles.inquire(trackingNo)).state).toBe('PENDING')
  expect((await first).status).toBe(200)
  expect((await browser.request(`${base}/state`)).status).toBe(200)
})
