// A checkpoint has no more events than the verification reads of one.
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { startServiceForFile } from '../kit/api-client.ts'

const { service, api } = await startServiceForFile()

test('the events of an import are sealed by two checkpoints, and both are verified', async () => {
  await sql`
    insert into audit_event (kind, request_id)
    select 'citizen.written', 'req_' || number from generate_series(1, 10500) number`.execute(service.db)
  const countLeaves = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from audit_leaf group by checkpoint order by 1 desc limit 2`.execute(
      service.db,
    )
    return rows.map(({ count }) => count)
  }
  await vi.waitUntil(async () => (await countLeaves()).reduce((sum, count) => sum + count, 0) >= 10_500, {
    timeout: 60_000,
  })
  // The most whole pages of the sealer.
  expect((await countLeaves())[0]).toBe(9_984)
  expect((await api.operator('verifyAudit', { query: { limit: 1_000 } })).body.first_fault).toBeNull()
})
