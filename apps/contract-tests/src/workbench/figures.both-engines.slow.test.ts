// The figures of a partner in the workbench.
import type { Success } from '@tiwala/contract'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { callWorkbench } from '../kit/member.ts'
import { refusal, startServiceForFile } from '../kit/test-service.ts'

/** Counts are stored every 5 seconds. */
const STORED = { timeout: 20_000 }

const service = await startServiceForFile({})

async function prepare() {
  const partner = await service.partner()
  const { headers } = await service.signIn(partner.code, 'viewer')
  const call = callWorkbench(service.url, headers)
  const read = async (range: 'day' | 'month' = 'day') =>
    (await call('readFigures', { query: { range } })).body
  return { partner, call, read }
}

const sumOf = ({ steps }: Success<'readFigures'>, name: 'succeeded' | 'refused' | 'failed' | 'closed') =>
  steps.reduce((sum, step) => sum + step[name], 0)

describe('figures', () => {
  test('200: requests by result, code and operation, and the share of the limits; nothing of another partner', async () => {
    const [{ partner, read }, other] = [await prepare(), await prepare()]
    const citizen = await service.citizen()
    await partner.profiles.whoAmI()
    const { record } = await partner.profiles.requestAuthorization(await citizen.showQr())
    await citizen.app('acceptAuthorization', { path: { tracking_no: record.tracking_no } })
    for (const no of [1, 2])
      await refusal(partner.profiles.requestAuthorization(`TWQ1${String(no).repeat(32)}`))
    await service.send('readPartnerSelf', { headers: { ...partner.headers, 'X-Secret-Token': 'wrong' } })
    await expect.poll(async () => sumOf(await read(), 'refused'), STORED).toBe(3)
    const figures = await read()
    expect([sumOf(figures, 'succeeded'), sumOf(figures, 'failed'), sumOf(figures, 'closed')]).toEqual([
      2, 0, 0,
    ])
    expect(figures).toMatchObject({ partner_code: partner.code, range: 'day', quota: null })
    expect(figures.steps.length).toBe(24)
    expect(figures.errors).toEqual([
      { error: 'qr_value_invalid', requests: 2 },
      { error: 'credentials_invalid', requests: 1 },
    ])
    const operations = figures.operations.map(({ operation, requests }) => [operation, requests])
    expect(new Map(operations as [string, number][])).toEqual(
      new Map([
        ['requestAuthorization', 3],
        ['readPartnerSelf', 2],
      ]),
    )
    const limit = figures.limits.find((each) => each.limit === 'requests_per_minute')!
    expect(limit.highest_percent).toBe(Math.ceil(300 / limit.per_minute))
    expect(figures.limits.filter(({ highest_percent }) => highest_percent > 0)).toEqual([limit])
    const month = await read('month')
    expect([month.steps.length, sumOf(month, 'refused')]).toEqual([30, 3])
    expect(await other.read()).toMatchObject({ errors: [], operations: [] })
  })

  test('200: what failed, what the client did not wait for, and how long most requests took', async () => {
    const { partner, read } = await prepare()
    const add = (outcome: string, within_ms: number, count: number) =>
      sql`
        insert into partner_figure (partner_id, hour, kind, operation, outcome, within_ms, count)
        select id, floor(extract(epoch from clock_now()) / 3600)::int, 'request', 'inquire', ${outcome}, ${within_ms}, ${count}
          from partner where partner_code = ${partner.code}`.execute(service.db)
    await add('', 10, 50)
    await add('', 100, 44)
    await add('internal_error', 1_000, 3)
    await add('499', 1_000, 1)
    await add('', 5_000, 2)
    const figures = await read()
    const sums = (['succeeded', 'refused', 'failed', 'closed'] as const).map((name) => sumOf(figures, name))
    expect(sums).toEqual([96, 0, 3, 1])
    expect(figures.operations).toEqual([
      { operation: 'inquire', requests: 100, median_ms: 10, p95_ms: 1_000, p99_ms: 5_000 },
    ])
  })

  test('200: attempts to deliver, and the daily quota', async () => {
    const { partner, read } = await prepare()
    await service.operator('changePartner', {
      path: { partner_code: partner.code },
      body: { limits: { per_day: 100 } },
    })
    const citizen = await service.citizen()
    await partner.profiles.requestAuthorization(await citizen.showQr())
    await expect.poll(async () => (await read()).quota?.days.at(-1)?.used, STORED).toBe(1)
    const { quota } = await read()
    expect([quota?.per_day, quota?.days.length]).toEqual([100, 30])
    await service.operator('setCallback', {
      path: { partner_code: partner.code },
      body: { callback_url: 'http://127.0.0.1:1/' },
    })
    await service.operator('testCallback', { path: { partner_code: partner.code } })
    const failed = async () =>
      (await read()).steps.reduce((sum, { deliveries }) => sum + deliveries.failed, 0)
    await expect.poll(failed, STORED).toBe(1)
  })

  test('200: an administrator reads what the people of the partner read, and 404 of no partner', async () => {
    const { partner, read } = await prepare()
    const figuresOf = (partner_code: string) =>
      service.operator('readPartnerFigures', { path: { partner_code }, query: { range: 'month' } })
    await partner.profiles.whoAmI()
    await expect.poll(async () => sumOf(await read('month'), 'succeeded'), STORED).toBe(1)
    expect((await figuresOf(partner.code)).body).toEqual(await read('month'))
    expect((await refusal(figuresOf('UNKNOWN'))).code).toBe('not_found')
  })

  test('422: a range that is none', async () => {
    const { call } = await prepare()
    expect((await call('readFigures', { query: { range: 'year' } })).status).toBe(422)
  })
})

describe('answers of citizens', () => {
  test('200: complete days only, and no number from which the answer of a citizen follows', async () => {
    const [few, many] = [await prepare(), await prepare()]
    const ask = async ({ partner }: typeof few, answer: 'accept' | 'decline' | 'cancel') => {
      const citizen = await service.citizen()
      const { record } = await partner.profiles.requestAuthorization(await citizen.showQr())
      const path = { tracking_no: record.tracking_no }
      if (answer === 'accept') await citizen.app('acceptAuthorization', { path })
      if (answer === 'decline') await citizen.app('declineAuthorization', { path })
      if (answer === 'cancel') await partner.profiles.cancelAuthorization(record.tracking_no)
    }
    await ask(few, 'accept')
    await ask(few, 'cancel')
    for (let turn = 0; turn < 5; turn++) {
      await ask(many, 'accept')
      await ask(many, 'decline')
    }
    const shownOf = async ({ partner }: typeof few) => {
      // A session ends when the clock moves on.
      const { headers } = await service.signIn(partner.code, 'viewer')
      const { body } = await callWorkbench(service.url, headers)('readFigures')
      return body.authorizations.days.filter(({ asked }) => asked > 0)
    }
    expect([await shownOf(few), await shownOf(many)]).toEqual([[], []])
    await service.advance(2 * 86_400)
    await expect
      .poll(() => shownOf(few), STORED)
      .toMatchObject([{ asked: 2, cancelled: 1, accepted: null, declined: null, expired: null }])
    expect(await shownOf(many)).toMatchObject([
      { asked: 10, cancelled: 0, accepted: 5, declined: 5, expired: 0 },
    ])
  })
})
