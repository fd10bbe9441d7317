import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { createLog } from '../src/http/log.ts'
import type { ProvenPartner } from '../src/partners/store.ts'
import { startQuotas } from '../src/partners/usage/quotas.ts'
import { startService, type TestService } from '../src/testing.ts'

let service: TestService
beforeAll(async () => void (service = await startService(inject('postgres'))))
afterAll(() => service.close())
beforeEach(() => sql`delete from partner_usage`.execute(service.db))

/** What one process counts. */
const begin = () => startQuotas({ db: service.db, config: service.config, log: createLog('silent') })

/** The sandbox's partner as its proof shows it, with what the database says it has used. */
const proven = async (perDay: number | null, today = '2026-11-21') => {
  const { rows } = await sql<{ id: number; used_today: number }>`
    select id, coalesce((select used from partner_usage u where u.partner_id = p.id and day = ${today}::date), 0) as used_today
      from partner p where partner_code = 'SANDBOX'`.execute(service.db)
  return { ...rows[0]!, today, limits: { per_day: perDay } } as ProvenPartner
}
const usage = async () =>
  (await sql<{ used: number }>`select used from partner_usage order by day`.execute(service.db)).rows.map(({ used }) => used)

test('what is not answered yet holds its place, and gives it back when it is refused', async () => {
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

test('processes add up: each sees the others, what it has sent itself is not counted twice, and nothing is lost at the end', async () => {
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

test('each day is counted by itself, and what is answered after midnight belongs to the day on which it came', async () => {
  const quotas = begin()
  const late = quotas.hold(await proven(1))!
  quotas.hold(await proven(1, '2026-11-22'))!(true)
  expect(quotas.hold(await proven(1, '2026-11-22'))).toBeUndefined()
  late(true)
  await quotas.stop()
  expect(await usage()).toEqual([1, 1])
})

test('without a quota nothing is counted', async () => {
  const quotas = begin()
  for (let count = 0; count < 3; count++) quotas.hold(await proven(null))!(true)
  await quotas.stop()
  expect(await usage()).toEqual([])
})
