// The function `wait_before_request`: when a citizen may get one more request.
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { startServiceForFile } from '../kit/api-client.ts'

const { service, api } = await startServiceForFile()
// A busy machine may refuse the first request.
await vi.waitFor(() => api.createPendingRecord(), { timeout: 20_000 })

/** The clock stops at the second in which the transaction began: a record has no more than milliseconds. */
const STOP_CLOCK = `create or replace function clock_now() returns timestamptz language sql as
  $$ select date_trunc('second', now()) $$`

type Row = {
  /** Of this partner, or of another one. */
  isOther?: boolean
  isOtherCitizen?: boolean
  scope?: 'PROFILE_INQUIRE' | 'PROFILE_VIEW'
  state?: 'PENDING' | 'ACCEPTED' | 'VIEWED' | 'REVOKED'
  /** Seconds until it expires, and since it was requested. */
  endsIn?: number
  age?: number
}
type Limits = { pending?: number; pendingOfPartner?: number; inAnHour?: number; answerSeconds?: number }

/** The seconds of the wait of a citizen who has these records, while the clock is stopped. */
async function waitWith(
  rows: Row[],
  { pending = 1_000, pendingOfPartner = 1_000, inAnHour = 1_000, answerSeconds = 300 }: Limits,
): Promise<number | null> {
  const tx = await service.db.startTransaction().execute()
  try {
    await sql.raw(STOP_CLOCK).execute(tx)
    const { rows: ids } = await sql<{ partner: number; other: number; citizen: number }>`
      with other as (
        insert into partner (partner_code, secret_code, name, purpose, scopes, ip_allow_list, limits)
        select 'OTHER', 'OTHER', name, purpose, scopes, ip_allow_list, limits from partner returning id
      )
      select p.id as partner, other.id as other, (select max(id) from citizen) as citizen
        from partner p, other`.execute(tx)
    const { partner, other, citizen } = ids[0]!
    for (const [index, row] of rows.entries()) {
      const {
        isOther,
        isOtherCitizen,
        scope = 'PROFILE_INQUIRE',
        state = 'PENDING',
        endsIn = 300,
        age = 0,
      } = row
      await sql`
        insert into authorization_record
               (id, partner_id, citizen_id, tracking_no, scope, state, qr_value, requested_at, expires_at)
        select ${-1 - index}::bigint, ${isOther ? other : partner}::bigint,
               ${isOtherCitizen ? citizen - 1 : citizen}::bigint, tracking_time(clock_now()) || ${`-${index}`}::text, ${scope}, ${state}, '',
               clock_now() - make_interval(secs => ${age}),
               clock_now() + make_interval(secs => ${endsIn})`.execute(tx)
    }
    const { rows: waits } = await sql<{ wait: number | null }>`
      select wait_before_request(${citizen}, ${partner}, ${pending}, ${pendingOfPartner}, ${inAnHour},
                                 ${answerSeconds}) as wait`.execute(tx)
    return waits[0]!.wait
  } finally {
    await tx.rollback().execute()
  }
}

/** Pending records that end at these times. */
const pending = (...ends: number[]) => ends.map((endsIn): Row => ({ endsIn }))

describe('the limit of pending requests of a citizen', () => {
  const limits = { pending: 2, answerSeconds: 3_700 }
  test.each<{ what: string; rows: Row[]; wait: number | null }>([
    { what: 'none', rows: [], wait: null },
    { what: 'fewer than the limit', rows: pending(100), wait: null },
    { what: 'as many as the limit', rows: pending(200, 100), wait: 100 },
    { what: 'more than the limit: all but one must end', rows: pending(100, 300, 200), wait: 200 },
    { what: 'one of another partner', rows: [...pending(100), { isOther: true, endsIn: 200 }], wait: 100 },
    { what: 'one of another citizen', rows: [...pending(100), { isOtherCitizen: true }], wait: null },
    { what: 'an accepted one', rows: [...pending(100), { state: 'ACCEPTED' }], wait: null },
    { what: 'an expired one', rows: [...pending(100), { endsIn: -10 }], wait: null },
    { what: 'one that ends at this moment', rows: [...pending(100), { endsIn: 0 }], wait: null },
    { what: 'one that ends in a second', rows: pending(100, 1), wait: 1 },
    { what: 'one of an hour ago', rows: [...pending(100), { endsIn: 50, age: 3_601 }], wait: 50 },
  ])('$what', async ({ rows, wait }) => {
    expect(await waitWith(rows, limits)).toBe(wait)
  })
})

describe('the limit of pending requests of a citizen and a partner', () => {
  const limits = { pendingOfPartner: 2 }
  test.each<{ what: string; rows: Row[]; wait: number | null }>([
    { what: 'as many as the limit', rows: pending(200, 100), wait: 100 },
    { what: 'one of another partner', rows: [...pending(100), { isOther: true }], wait: null },
    { what: 'an accepted one', rows: [...pending(100), { state: 'ACCEPTED' }], wait: null },
    { what: 'an expired one', rows: [...pending(100), { endsIn: -10 }], wait: null },
  ])('$what', async ({ rows, wait }) => {
    expect(await waitWith(rows, limits)).toBe(wait)
  })
})

describe('the limit of requests in an hour', () => {
  const limits = { inAnHour: 2 }
  const requested = (...ages: number[]) => ages.map((age): Row => ({ age, state: 'ACCEPTED' }))
  test.each<{ what: string; rows: Row[]; wait: number | null }>([
    { what: 'as many as the limit', rows: requested(600, 60), wait: 3_000 },
    { what: 'one of another partner', rows: [...requested(60), { isOther: true, age: 600 }], wait: 3_000 },
    { what: 'one of another citizen', rows: [...requested(60), { isOtherCitizen: true }], wait: null },
    { what: 'a view by QR code', rows: [...requested(60), { scope: 'PROFILE_VIEW' }], wait: null },
    { what: 'one of an hour ago', rows: requested(60, 3_600), wait: null },
    { what: 'an older one', rows: requested(60, 4_000), wait: null },
    { what: 'one that is a second younger', rows: requested(60, 3_599), wait: 1 },
  ])('$what', async ({ rows, wait }) => {
    expect(await waitWith(rows, limits)).toBe(wait)
  })
})

test('the longest wait of all limits counts', async () => {
  const rows: Row[] = [{ endsIn: 300, age: 3_500 }]
  expect(await waitWith(rows, { pending: 1, pendingOfPartner: 1, inAnHour: 1 })).toBe(300)
  expect(await waitWith(rows, { inAnHour: 1 })).toBe(100)
})

describe.each(['never analyzed', 'analyzed'])('in a table that was %s', (statistics) => {
  test('it reads no record that cannot count: no viewed ones, and none of the hour before', async () => {
    const tx = await service.db.startTransaction().execute()
    try {
      const insert = (state: string, count: number, age: number) => sql`
        insert into authorization_record
               (id, partner_id, citizen_id, tracking_no, scope, state, qr_value, requested_at, expires_at, ended_at)
        select -n, p.id, (select max(id) from citizen),
               tracking_time(at) || lpad(n::text, 19, '0') || ${state}::text, 'PROFILE_VIEW', ${state}::text, '', at, at, at
          from generate_series(1, ${count}::int) n, partner p, (select clock_now() - make_interval(secs => ${age}) as at) t`
      await insert('REVOKED', 3_000, 3_700).execute(tx)
      await insert('VIEWED', 3_000, 60).execute(tx)
      await insert('REVOKED', 3, 60).execute(tx)
      if (statistics === 'analyzed') await sql`analyze authorization_record`.execute(tx)
      const countRead = async () =>
        (
          await sql<{ read: number }>`
            select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read
              from pg_stat_xact_user_tables where relname ~ '^authorization_record'`.execute(tx)
        ).rows[0]!.read
      const before = await countRead()
      await sql`
        select wait_before_request((select max(id) from citizen), (select id from partner), 1, 1, 1, 300)`.execute(
        tx,
      )
      expect((await countRead()) - before).toBeLessThanOrEqual(3)
    } finally {
      await tx.rollback().execute()
    }
  })
})
