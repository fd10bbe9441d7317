// The guard of partners in several processes at once, and when it fails.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { watchPartners } from '../../src/anomalies/watch-partners.ts'
import { createPartnerCache } from '../../src/partners/partner-cache.ts'
import { startServiceForFile } from '../kit/api-client.ts'

const { db, config } = (await startServiceForFile()).service
const watch = () => watchPartners({ db, config, partnerCache: createPartnerCache() })
const read = async (query: string) => (await sql.raw<{ value: number }>(query).execute(db)).rows[0]!.value
const countOpen = () => read('select count(*) as value from anomaly where ended_at is null')
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
