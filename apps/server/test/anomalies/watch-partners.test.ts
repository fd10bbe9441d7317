// The guard of partners in several processes at once, and when it fails.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { acknowledge } from '../../src/anomalies/anomaly.sql.ts'
import { watchPartners } from '../../src/anomalies/watch-partners.ts'
import { createPartnerCache } from '../../src/partners/partner-cache.ts'
import { startServiceForFile } from '../kit/api-client.ts'
import { countBlocked, withLongLockTimeout } from '../kit/blocked-statements.ts'
import { interleave } from '../kit/interleave.ts'

const { service, api } = await startServiceForFile({ TIWALA_ANOMALY_ACTIONS: 'rate:slow,refusals:slow' })
const { db, config } = service
const partnerCache = createPartnerCache<never>()
const watch = () => watchPartners({ db, config, partnerCache })
const read = async (query: string) => (await sql.raw<{ value: number }>(query).execute(db)).rows[0]!.value
/** At night, so many requests are a second anomaly. */
const countOpen = () =>
  read(`select count(*) as value from anomaly where ended_at is null and kind <> 'night'`)
const readChecked = () => read('select checked_second as value from anomaly_check')
const makeDue = () => sql`update anomaly_check set checked_second = 0, first_hour = 0`.execute(db)

test('a guard that fails changes nothing; of several that run at once, one measures', async () => {
  await sql`update partner set created_at = created_at - interval '20 days'`.execute(db)
  await sql`
    insert into partner_figure (partner_id, hour, kind, count)
    select min(id), floor(extract(epoch from clock_now()) / 3600)::int, 'own', 10000 from partner`.execute(db)
  await sql`alter table dispute rename to lost`.execute(db)
  // The service runs the guard too: while it does, `watch` returns at once.
  const watchWhenDue = async () => (await makeDue(), watch())
  await expect.poll(() => watchWhenDue().catch((error: Error) => error.message)).toContain('dispute')
  expect([await countOpen(), await readChecked()]).toEqual([0, 0])
  await sql`alter table lost rename to dispute`.execute(db)
  await Promise.all([watch(), watch(), watch(), watch()])
  await expect.poll(() => read(`select count(*) as value from anomaly where kind = 'rate'`)).toBe(1)
  const checked = await readChecked()
  await watch()
  expect(await readChecked()).toBe(checked)
  // The clock was ahead for a moment.
  await sql`update anomaly_check set checked_second = checked_second + 1000000`.execute(db)
  await watch()
  await expect.poll(readChecked).toBeLessThan(checked + 1_000_000)
})

test('how citizens answered is measured when they can answer no more', async () => {
  await sql`
    insert into partner_figure (partner_id, hour, kind, outcome, count)
    select min(id), floor(extract(epoch from clock_now()) / 3600)::int - 3, 'record', 'DECLINED', 100
      from partner`.execute(db)
  const countDeclines = () => read(`select count(*) as value from anomaly where kind = 'declines'`)
  await makeDue()
  await watch()
  expect(await countDeclines()).toBe(0)
  const patient = { ...config, authorizationTtlSeconds: 7_200 }
  const watchPatiently = async () => {
    await makeDue()
    await watchPartners({ db, config: patient, partnerCache })
    return countDeclines()
  }
  // The service runs the guard too: while it does, the other returns at once.
  await expect.poll(watchPatiently).toBe(1)
  await sql`delete from partner_figure where kind = 'record'`.execute(db)
  await sql`delete from anomaly where kind = 'declines'`.execute(db)
})

const countSlowed = () => read('select count(*) as value from partner where is_slowed')
const idOf = async (kind: 'rate' | 'refusals') =>
  (await api.operator('listAnomalies', { query: { kind } })).body.anomalies[0]!.anomaly_id

test('200: an acknowledgment does not wait while the guard measures, and the guard does not slow the partner again', async () => {
  const path = { anomaly_id: await idOf('rate') }
  const holder = await db.startTransaction().execute()
  await sql`lock dispute`.execute(holder)
  await makeDue()
  const watching = withLongLockTimeout(db, (tx) => watchPartners({ db: tx, config, partnerCache }))
  await expect.poll(() => countBlocked(db), { interval: 5 }).toBe(1)
  const { status } = await api.send('acknowledgeAnomaly', { headers: api.asOperator, path })
  const meanwhile = [await countBlocked(db), await readChecked(), await countSlowed()]
  await holder.commit().execute()
  await watching
  expect([status, ...meanwhile]).toEqual([200, 1, 0, 0])
  await expect.poll(readChecked).toBeGreaterThan(0)
  expect([await countOpen(), await countSlowed()]).toEqual([1, 0])
})

test('a partner is no longer slowed after two acknowledgments at once', async () => {
  await sql`update anomaly set acknowledged_at = null`.execute(db)
  await sql`update partner_figure set outcome = 'refused' where kind = 'own'`.execute(db)
  await makeDue()
  await watch()
  await expect.poll(() => read(`select count(*) as value from anomaly where kind = 'refusals'`)).toBe(1)
  expect(await countSlowed()).toBe(1)
  const [rate, refusals] = [await idOf('rate'), await idOf('refusals')]
  const action = { kind: 'anomaly.acknowledged', actor: 'admin', requestId: 'request' }
  await interleave(
    db,
    { name: 'the first commits' },
    (tx) => acknowledge({ db: tx, partnerCache }, rate, action),
    (tx) => acknowledge({ db: tx, partnerCache }, refusals, action),
  )
  expect(await countSlowed()).toBe(0)
})
