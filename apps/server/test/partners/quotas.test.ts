import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import express, { type Request, type Response } from 'express'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, inject, onTestFinished, test, vi } from 'vitest'
import { enforceDailyQuota, rateLimitPartner } from '../../src/http/load/partner-limits.ts'
import { createExchange } from '../../src/http/pipeline/exchange.ts'
import { createLog } from '../../src/http/pipeline/log.ts'
import { createSendFailure } from '../../src/http/pipeline/send-failure.ts'
import { continueTrace } from '../../src/http/pipeline/trace-context.ts'
import type { AuthenticatedPartner } from '../../src/partners/partner.ts'
import { startQuotas } from '../../src/partners/usage/quotas.ts'
import { startService, type TestService } from '../../src/testing/start-service.ts'

let service: TestService
beforeAll(async () => void (service = await startService(inject('postgres'))))
afterAll(() => service.close())
beforeEach(() => sql`delete from partner_usage`.execute(service.db))

/** The counter of one process. */
const begin = (db = service.db) => startQuotas({ db, config: service.config, log: createLog('silent') })

/** The sandbox partner as authentication returns it, with its usage from the database. */
const proven = async (perDay: number | null, today = '2026-11-21') => {
  const { rows } = await sql<{ id: number; used_today: number }>`
    select id, coalesce((select used from partner_usage u
                          where u.partner_id = p.id and day = ${today}::date), 0) as used_today
      from partner p where partner_code = 'SANDBOX'`.execute(service.db)
  return { ...rows[0]!, today, limits: { per_day: perDay } } as AuthenticatedPartner
}
const usage = async () =>
  (await sql<{ used: number }>`select used from partner_usage order by day`.execute(service.db)).rows.map(
    ({ used }) => used,
  )

test('an in-flight request holds a part of the quota, and returns it if it is refused', async () => {
  const quotas = begin()
  const partner = await proven(2)
  const [first, second] = [quotas.hold(partner)!, quotas.hold(partner)!]
  expect(quotas.hold(partner)).toBeUndefined()
  first(false)
  const third = quotas.hold(partner)!
  expect(quotas.hold(partner)).toBeUndefined()
  for (const settle of [second, third]) settle(true)
  expect(quotas.hold(partner)).toBeUndefined()
  await quotas.stop()
  expect(await usage()).toEqual([2])
})

test('processes add up their usage: no request counts twice, and none is lost at the end', async () => {
  const [here, there] = [begin(), begin()]
  for (let count = 0; count < 3; count++) here.hold(await proven(5))!(true)
  await expect.poll(usage, { timeout: 60_000 }).toEqual([3])
  there.hold(await proven(5))!(true)
  await there.stop()
  expect(await usage()).toEqual([4])
  here.hold(await proven(5))!(true)
  expect(here.hold(await proven(5))).toBeUndefined()
  await here.stop()
  expect(await usage()).toEqual([5])
})

test('while counts are stored, the database and the process do not count them both', async () => {
  let answer = () => {}
  const answered = new Promise<void>((resolve) => (answer = resolve))
  const slow = service.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      await answered
      return result
    },
  })
  const quotas = begin(slow)
  quotas.hold(await proven(3))!(true)
  await expect.poll(usage).toEqual([1])
  const held = [quotas.hold(await proven(3)), quotas.hold(await proven(3)), quotas.hold(await proven(3))]
  answer()
  await quotas.stop()
  expect(held.map(Boolean)).toEqual([true, true, false])
})

test('a count that could not be stored is stored later', async () => {
  const warn = vi.fn()
  const log = { warn } as unknown as Parameters<typeof startQuotas>[0]['log']
  const quotas = startQuotas({ db: service.db, config: service.config, log })
  await sql`alter table partner_usage add constraint refuse check (used < 0) not valid`.execute(service.db)
  quotas.hold(await proven(2))!(true)
  await expect.poll(() => warn.mock.calls.length, { interval: 10 }).toBeGreaterThan(0)
  await sql`alter table partner_usage drop constraint refuse`.execute(service.db)
  await quotas.stop()
  expect(await usage()).toEqual([1])
})

test('each day has its own count; a response after midnight counts for the day of its request', async () => {
  const quotas = begin()
  const late = quotas.hold(await proven(1))!
  quotas.hold(await proven(1, '2026-11-22'))!(true)
  expect(quotas.hold(await proven(1, '2026-11-22'))).toBeUndefined()
  // The counts of past days that have no request in flight are now deleted.
  await expect.poll(usage).toEqual([1])
  late(true)
  await quotas.stop()
  expect(await usage()).toEqual([1, 1])
})

test('a partner without a quota is not counted', async () => {
  const quotas = begin()
  for (let count = 0; count < 3; count++) quotas.hold(await proven(null))!(true)
  await quotas.stop()
  expect(await usage()).toEqual([])
})

/** A request that passes the limits waits for the test. Generous, for a busy machine. */
const REFUSED_WITHIN_MS = 10_000

/** Requests of one partner that pass the limits, then wait for a response from the test. */
async function limited(perMinute: number, perDay: number | null) {
  const quotas = begin()
  const caller = {
    ...(await proven(perDay)),
    limits: { per_day: perDay, requests_per_minute: perMinute, sign_ins_per_minute: perMinute },
  }
  const waiting: { req: Request; res: Response; closed: Promise<unknown> }[] = []
  const app = express()
  app.use((req, _res, next) => {
    req.exchange = { ...createExchange('req_test', continueTrace(undefined)), caller }
    req.openapi = { openApiRoute: '', pathParams: {}, schema: { operationId: req.path.slice(1) } }
    next()
  })
  app.use(
    rateLimitPartner(service.config),
    enforceDailyQuota(quotas),
    (req, res) => void waiting.push({ req, res, closed: once(res, 'close') }),
  )
  app.use(createSendFailure(service.config.publicUrl))
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  /** Sends a request. Returns after the request has passed the limits. */
  async function send(operation: string) {
    const [client, before] = [new AbortController(), waiting.length]
    fetch(`${url}/${operation}`, { signal: client.signal }).catch(() => {})
    await expect.poll(() => waiting.length, { interval: 2, timeout: 10_000 }).toBe(before + 1)
    return { ...waiting.at(-1)!, client }
  }
  const response = async (operation: string, status: number, isTimedOut?: true) => {
    const { req, res, closed } = await send(operation)
    if (isTimedOut) req.exchange.isTimedOut = isTimedOut
    res.status(status).end()
    await closed
  }
  const leave = async (operation: string) => {
    const { client, closed } = await send(operation)
    client.abort()
    await closed
  }
  const refusal = async (operation: string) =>
    (
      (await (
        await fetch(`${url}/${operation}`, { signal: AbortSignal.timeout(REFUSED_WITHIN_MS) })
      ).json()) as { error: string }
    ).error
  const stop = async () => {
    server.closeAllConnections()
    server.close()
    await quotas.stop()
  }
  onTestFinished(stop)
  return { send, response, leave, refusal }
}

test('429: a request counts after its client disconnects, because its work may continue', async () => {
  const { leave, refusal } = await limited(2, 1)
  await leave('requestAuthorization')
  expect(await refusal('requestAuthorization')).toBe('quota_exceeded')
  expect(await refusal('requestAuthorization')).toBe('rate_limited')
})

test('429: a request past its deadline counts against the quota; a refused one does not', async () => {
  const { response, refusal } = await limited(1_000, 1)
  for (const status of [422, 500, 503]) await response('requestAuthorization', status)
  await response('requestAuthorization', 503, true)
  expect(await refusal('requestAuthorization')).toBe('quota_exceeded')
})

test('429: a sign-in counts against the rate per minute, unless its token was refused', async () => {
  const { response, leave, refusal } = await limited(3, null)
  for (let count = 0; count < 5; count++) await response('authenticate', 401)
  await leave('authenticate')
  await response('authenticate', 503, true)
  await response('authenticate', 200)
  expect(await refusal('authenticate')).toBe('rate_limited')
})

test('429: a sign-in of an earlier minute that is refused now is not refunded in this minute', async () => {
  const { send, response, refusal } = await limited(3, null)
  const early = await send('authenticate')
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 61_000)
  onTestFinished(() => clock.mockRestore())
  for (let count = 0; count < 3; count++) await response('authenticate', 200)
  early.res.status(401).end()
  await early.closed
  expect(await refusal('authenticate')).toBe('rate_limited')
})
