// The guard of partners. The hours before are written as figures; the guard runs when the clock moves.
import type { Schemas } from '@tiwala/contract'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { nameOperator } from '../kit/operator-name.ts'
import { refusal, startServiceForFile } from '../kit/test-service.ts'
import type { Partner } from '../kit/users.ts'

const EVERY_SECONDS = 300
const HOUR_SECONDS = 3_600
/** Counts are stored every 5 seconds. */
const STORED = { timeout: 20_000 }

const service = await startServiceForFile({ TIWALA_ANOMALY_ACTIONS: 'rate:slow, disputes:suspend' })
const { db } = service

const HOUR = sql`floor(extract(epoch from clock_now()) / 3600)::int`
const idOf = (partner: Partner) => sql`(select id from partner where partner_code = ${partner.code})`

beforeAll(async () => {
  await sql`update anomaly_check set first_hour = first_hour - 24 * 40`.execute(db)
})

/** A partner that is `days` old. */
async function prepare(days = 20) {
  const partner = await service.partner()
  await sql`
    update partner set created_at = created_at - make_interval(days => ${days}) where partner_code = ${partner.code}`.execute(
    db,
  )
  return partner
}

type Figure = { kind: 'own' | 'record' | 'range'; operation?: string; outcome?: string; count: number }

async function addFigure(partner: Partner, hoursAgo: number, figure: Figure) {
  const { kind, operation = '', outcome = '', count } = figure
  await sql`
    insert into partner_figure as f (partner_id, hour, kind, operation, outcome, count)
    values (${idOf(partner)}, ${HOUR} - ${hoursAgo}::int, ${kind}, ${operation}, ${outcome}, ${count})
    on conflict (partner_id, hour, kind, operation, outcome, within_ms) do update set count = excluded.count`.execute(
    db,
  )
}

/** The same hour of 14 days. */
async function addUsual(partner: Partner, ...figures: Figure[]) {
  for (const figure of figures) for (let day = 1; day <= 14; day++) await addFigure(partner, 24 * day, figure)
}

const dispute = (partner: Partner, count: number, daysAgo = 0) =>
  sql`
    insert into dispute (request_id, citizen_id, partner_id, disputed_at)
    select gen_random_uuid(), 0, ${idOf(partner)}, clock_now() - make_interval(days => ${daysAgo}::int, mins => 1)
      from generate_series(1, ${count}::int)`.execute(db)

const readChecked = async () =>
  (await sql<{ checked_second: number }>`select checked_second from anomaly_check`.execute(db)).rows[0]!
    .checked_second

/** Moves the clock until the guard has run. */
async function watch(seconds = EVERY_SECONDS) {
  const before = await readChecked()
  await service.advance(seconds)
  await expect.poll(readChecked).toBeGreaterThan(before)
}

type Filter = { kind?: Schemas['AnomalyKind']; open?: boolean; limit?: number; cursor?: string }
const list = async (partner: Partner, filter: Filter = {}) =>
  (await service.operator('listAnomalies', { query: { partner_code: partner.code, ...filter } })).body
    .anomalies
const numbersOf = ({ kind, expected, threshold, observed }: Schemas['Anomaly']) => [
  kind,
  expected,
  threshold,
  observed,
]
const statusOf = async (partner: Partner) =>
  (await service.operator('readPartner', { path: { partner_code: partner.code } })).body.status
const acknowledge = (anomaly_id: string, reason = 'Ticket 4711') =>
  service.operator('acknowledgeAnomaly', { path: { anomaly_id }, query: { reason } })

/** Moves the clock to this hour of Asia/Manila. The guard has run, and does not run for five minutes. */
async function moveToHour(hour: number) {
  const { rows } = await sql<{ seconds: number }>`
    select mod(${hour}::int * 3600 + 86400 - extract(epoch from (clock_now() at time zone 'Asia/Manila')::time)::int, 86400) as seconds`.execute(
    db,
  )
  await watch(rows[0]!.seconds + 2 * EVERY_SECONDS)
}

describe('200: what is unusual for the partner is an anomaly, and one less is none', () => {
  test.each([
    [
      'rate',
      'above four times the usual',
      [{ kind: 'own', count: 100 }],
      [{ kind: 'own', count: 401 }],
      401,
      100,
    ],
    ['rate', 'from 300 on', [{ kind: 'own', count: 10 }], [{ kind: 'own', count: 300 }], 300, 10],
    [
      'refusals',
      'from 20 % on',
      [{ kind: 'own', count: 100 }],
      [
        { kind: 'own', count: 80 },
        { kind: 'own', outcome: 'refused', count: 20 },
      ],
      20,
      0,
    ],
    [
      'refusals',
      'above twice the usual',
      [
        { kind: 'own', count: 70 },
        { kind: 'own', outcome: 'refused', count: 30 },
      ],
      [
        { kind: 'own', count: 39 },
        { kind: 'own', outcome: 'refused', count: 61 },
      ],
      61,
      30,
    ],
    [
      'declines',
      'from 30 % on',
      [{ kind: 'record', outcome: 'ACCEPTED', count: 50 }],
      [
        { kind: 'record', outcome: 'ACCEPTED', count: 70 },
        { kind: 'record', outcome: 'DECLINED', count: 30 },
      ],
      30,
      0,
    ],
    [
      'declines',
      'above twice the usual',
      [
        { kind: 'record', outcome: 'ACCEPTED', count: 80 },
        { kind: 'record', outcome: 'DECLINED', count: 20 },
      ],
      [
        { kind: 'record', outcome: 'ACCEPTED', count: 59 },
        { kind: 'record', outcome: 'DECLINED', count: 41 },
      ],
      41,
      20,
    ],
    [
      'refusals',
      'beyond half of the way to 100 %',
      [
        { kind: 'own', count: 40 },
        { kind: 'own', outcome: 'refused', count: 60 },
      ],
      [
        { kind: 'own', count: 19 },
        { kind: 'own', outcome: 'refused', count: 81 },
      ],
      81,
      60,
    ],
  ] as const)('%s, %s', async (kind, _title, usual, present, threshold, expected) => {
    const [usualPartner, unusualPartner] = [await prepare(), await prepare()]
    await moveToHour(10)
    for (const partner of [usualPartner, unusualPartner]) {
      await addUsual(partner, ...usual)
      for (const figure of present) await addFigure(partner, 0, figure)
    }
    // The last figure is the one that is unusual; a share loses a part, and the whole stays.
    const { count, ...last } = present.at(-1)!
    await addFigure(usualPartner, 0, { ...last, count: count - 1 })
    if (present.length > 1) await addFigure(usualPartner, 0, { ...present[0], count: present[0].count + 1 })
    await watch()
    expect((await list(unusualPartner)).map(numbersOf)).toEqual([[kind, expected, threshold, threshold]])
    expect(await list(usualPartner)).toEqual([])
  })

  test('night, from 50 on between 00:00 and 05:00, and not by day', async () => {
    const [few, many, byDay] = [await prepare(), await prepare(), await prepare()]
    const [usualFew, usualMany] = [await prepare(), await prepare()]
    const add = (partner: Partner, count: number) => addFigure(partner, 0, { kind: 'own', count })
    await moveToHour(2)
    await add(few, 49)
    await add(many, 50)
    for (const partner of [usualFew, usualMany]) await addUsual(partner, { kind: 'own', count: 50 })
    await add(usualFew, 200)
    await add(usualMany, 201)
    await watch()
    expect((await list(many)).map(numbersOf)).toEqual([['night', 0, 50, 50]])
    expect((await list(usualMany)).map(numbersOf)).toEqual([['night', 50, 201, 201]])
    expect([await list(few), await list(usualFew)]).toEqual([[], []])
    await moveToHour(6)
    await add(byDay, 50)
    await watch()
    expect(await list(byDay)).toEqual([])
  })

  test('disputes, above four times the usual of the days', async () => {
    const [usual, disputed] = [await prepare(), await prepare()]
    for (const partner of [usual, disputed])
      for (let day = 1; day <= 14; day++) await dispute(partner, 2, day)
    await dispute(usual, 8)
    await dispute(disputed, 9)
    await watch()
    expect((await list(disputed)).map(numbersOf)).toEqual([['disputes', 2, 9, 9]])
    expect(await list(usual)).toEqual([])
  })

  test('refusals and declines: of too few requests or answers, no share', async () => {
    const partner = await prepare()
    await moveToHour(10)
    await addFigure(partner, 0, { kind: 'own', outcome: 'refused', count: 99 })
    await addFigure(partner, 0, { kind: 'record', outcome: 'DECLINED', count: 19 })
    await watch()
    expect(await list(partner)).toEqual([])
  })

  test('address: a range that the partner did not use in 30 days, and not the first one of a partner', async () => {
    const [known, moved, first] = [await prepare(), await prepare(), await prepare()]
    await addFigure(known, 240, { kind: 'range', operation: '127.0.0.0/24', count: 1 })
    await addFigure(moved, 240, { kind: 'range', operation: '198.51.100.0/24', count: 1 })
    for (const partner of [known, moved, first]) await partner.profiles.whoAmI()
    const countRanges = async () => {
      const { rows } = await sql`
        select from partner_figure where kind = 'range' and operation = '127.0.0.0/24'
           and partner_id in (${idOf(known)}, ${idOf(moved)}, ${idOf(first)})`.execute(db)
      return rows.length
    }
    await expect.poll(countRanges, STORED).toBe(4)
    await watch()
    expect(await list(moved)).toMatchObject([
      { kind: 'address', expected: 0, threshold: 1, observed: 1, address_ranges: ['127.0.0.0/24'] },
    ])
    expect([await list(known), await list(first)]).toEqual([[], []])
    await watch(24 * HOUR_SECONDS)
    expect(await list(moved, { open: true })).toEqual([])
  })
})

test('200: of two unusual hours, the measure of the higher one', async () => {
  const partner = await prepare()
  await moveToHour(10)
  await addFigure(partner, 0, { kind: 'own', count: 1_000 })
  await addFigure(partner, 1, { kind: 'own', count: 2_000 })
  await watch()
  expect(await list(partner)).toMatchObject([{ kind: 'rate', observed: 2_000 }])
})

test('200: of two kinds at once, each keeps its own measure', async () => {
  const partner = await prepare()
  await moveToHour(10)
  await addFigure(partner, 0, { kind: 'own', outcome: 'refused', count: 600 })
  for (const count of [400, 1_400]) {
    await addFigure(partner, 0, { kind: 'own', count })
    await watch()
  }
  const measures = (await list(partner)).map(({ kind, observed }) => [kind, observed])
  expect(Object.fromEntries(measures)).toEqual({ rate: 2_000, refusals: 60 })
})

test('200: only requests with a valid secret count, and a limit is no refusal', async () => {
  const [partner, citizen] = [await service.partner(), await service.citizen()]
  await service.operator('changePartner', {
    path: { partner_code: partner.code },
    body: { limits: { requests_per_minute: 1 } },
  })
  await partner.profiles.whoAmI()
  // The access token, which other clients may have, is no secret of the partner.
  await partner.sso.signIn(await citizen.exchangeCode(partner.code))
  await service.send('readPartnerSelf', { headers: { ...partner.headers, 'X-Secret-Token': 'wrong' } })
  const codes = ['1', '2'].map((no) => refusal(partner.profiles.requestAuthorization(`TWQ1${no.repeat(32)}`)))
  expect((await Promise.all(codes)).map(({ code }) => code).toSorted()).toEqual([
    'qr_value_invalid',
    'rate_limited',
  ])
  const read = async () => {
    const { rows } = await sql<{ outcome: string; count: number }>`
      select outcome, sum(count)::int as count from partner_figure
       where kind = 'own' and partner_id = ${idOf(partner)} group by 1 order by 1`.execute(db)
    return rows
  }
  await expect.poll(read, STORED).toEqual([
    { outcome: '', count: 3 },
    { outcome: 'refused', count: 1 },
  ])
})

test('200: without a baseline of seven days there is no anomaly', async () => {
  const [young, old] = [await prepare(6), await prepare(7)]
  for (const partner of [young, old]) await addFigure(partner, 0, { kind: 'own', count: 10_000 })
  await watch()
  expect(await list(young)).toEqual([])
  expect((await list(old, { kind: 'rate' })).length).toBe(1)
})

describe('actions', () => {
  test('429: slow leaves a quarter of the limits, until an administrator acknowledges the anomaly', async () => {
    const partner = await prepare()
    await service.operator('changePartner', {
      path: { partner_code: partner.code },
      body: { limits: { requests_per_minute: 8 } },
    })
    const limitOf = async () => (await partner.profiles.whoAmI()).limits.requests_per_minute
    await addFigure(partner, 0, { kind: 'own', count: 1_000 })
    expect(await limitOf()).toBe(8)
    await watch()
    expect(await limitOf()).toBe(2)
    const codes = []
    for (const no of ['1', '2', '3'])
      codes.push((await refusal(partner.profiles.requestAuthorization(`TWQ1${no.repeat(32)}`))).code)
    expect(codes).toEqual(['qr_value_invalid', 'qr_value_invalid', 'rate_limited'])
    const [anomaly] = await list(partner, { kind: 'rate' })
    expect(anomaly).toMatchObject({
      partner_name: (await partner.read()).name,
      action: 'slow',
      ended_at: null,
      acknowledged_by: null,
      acknowledged_by_name: null,
    })
    await nameOperator(service, 'sandbox-operator', 'Ana Reyes')
    const { body } = await acknowledge(anomaly!.anomaly_id)
    expect(body).toMatchObject({
      ended_at: null,
      acknowledged_by: 'sandbox-operator',
      acknowledged_by_name: 'Ana Reyes',
      acknowledged_reason: 'Ticket 4711',
    })
    expect((await acknowledge(anomaly!.anomaly_id, 'Ticket 4712')).body).toEqual(body)
    expect(await limitOf()).toBe(8)
    await watch()
    expect([await limitOf(), (await list(partner, { kind: 'rate' })).length]).toEqual([8, 1])
    expect((await refusal(acknowledge('ano_unknown'))).code).toBe('not_found')
  })

  test('200: slow ends with the anomaly, which ends after a usual hour, and a later one is another one', async () => {
    const partner = await prepare()
    const limitOf = async () => (await partner.profiles.whoAmI()).limits.requests_per_minute
    const whole = await limitOf()
    await moveToHour(10)
    // The highest measure stays.
    for (const count of [1_000, 2_000, 1_500]) {
      await addFigure(partner, 0, { kind: 'own', count })
      await watch()
    }
    expect(await list(partner, { kind: 'rate', open: true })).toMatchObject([{ observed: 2_000 }])
    expect(await limitOf()).toBe(whole / 4)
    await watch(2 * HOUR_SECONDS)
    expect([await list(partner, { open: true }), await limitOf()]).toEqual([[], whole])
    expect((await list(partner, { kind: 'rate', open: false })).length).toBe(1)
    await addFigure(partner, 0, { kind: 'own', count: 1_000 })
    await watch()
    expect((await list(partner, { kind: 'rate' })).map(({ ended_at }) => ended_at !== null)).toEqual([
      false,
      true,
    ])
  })

  test('403: suspend, by the guard in the audit, and the end of the anomaly does not resume the partner', async () => {
    const [usual, disputed] = [await prepare(), await prepare()]
    await dispute(usual, 4)
    await dispute(disputed, 5)
    await watch()
    expect((await list(disputed)).map(numbersOf)).toEqual([['disputes', 0, 5, 5]])
    expect([await list(usual), await statusOf(usual)]).toEqual([[], 'ACTIVE'])
    expect((await refusal(disputed.profiles.whoAmI())).code).toBe('partner_suspended')
    const { body } = await service.operator('listAuditEvents', { query: { partner_code: disputed.code } })
    expect(body.events.find(({ kind }) => kind === 'partner.suspended')).toMatchObject({
      actor: 'anomaly guard',
      reason: 'anomaly disputes: 5, usually 0, threshold 5',
    })
    await service.operator('resumePartner', { path: { partner_code: disputed.code } })
    await watch()
    expect(await statusOf(disputed)).toBe('ACTIVE')
    await service.operator('suspendPartner', { path: { partner_code: disputed.code } })
    await watch(25 * HOUR_SECONDS)
    expect([await list(disputed, { open: true }), await statusOf(disputed)]).toEqual([[], 'SUSPENDED'])
  })
})

test('200: pages, newest first; 422: a cursor that is none', async () => {
  const partner = await prepare()
  await moveToHour(2)
  await addFigure(partner, 0, { kind: 'own', count: 1_000 })
  await watch()
  const query = { partner_code: partner.code, limit: 1 }
  const first = (await service.operator('listAnomalies', { query })).body
  const second = (
    await service.operator('listAnomalies', { query: { ...query, cursor: first.next_cursor! } })
  ).body
  expect([...first.anomalies, ...second.anomalies].map(({ kind }) => kind).toSorted()).toEqual([
    'night',
    'rate',
  ])
  expect(second.next_cursor).toBeNull()
  const wrong = service.operator('listAnomalies', { query: { cursor: 'x' } })
  expect((await refusal(wrong)).code).toBe('validation_failed')
})
