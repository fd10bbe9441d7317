// A disclosure can wait for the lock of the citizen. If a revocation that waits in front of it is done first,
// it discloses nothing.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { revokeConsent } from '../../src/authorizations/consent/store.ts'
import type { Database } from '../../src/database/connect.ts'
import { startServiceForFile } from '../kit/api-client.ts'
import { disclosingStatements } from '../kit/disclosing-statements.ts'

const { service, api } = await startServiceForFile()
const { repeatable, accessNow } = disclosingStatements(service, api)

async function countBlocked(): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`.execute(service.db)
  return rows.length
}

/** Runs the statement with a lock timeout that a busy machine does not exceed. */
const withLongLockTimeout = <Result>(run: (tx: Database) => Promise<Result>): Promise<Result> =>
  service.db.transaction().execute(async (tx) => {
    await sql`select set_config('lock_timeout', '60000', true)`.execute(tx)
    return run(tx)
  })

async function revokeNewest(tx: Database): Promise<void> {
  const { rows } = await sql<{ tracking_no: string; uniqid_mac: string }>`
    select r.tracking_no, c.uniqid_mac from authorization_record r join citizen c on c.id = r.citizen_id
     order by r.requested_at desc limit 1`.execute(tx)
  await revokeConsent(tx, [rows[0]!.uniqid_mac], rows[0]!.tracking_no, {
    requestId: 'revocation',
    traceparent: null,
  })
}

test.each(repeatable)('$name: discloses nothing after the revocation', async ({ kind, prepare }) => {
  const [run, access] = [await prepare(), await accessNow(kind)]
  const holder = await service.db.startTransaction().execute()
  await sql`select pg_advisory_xact_lock(1, (id & 2147483647)::int) from citizen`.execute(holder)
  const revocation = withLongLockTimeout(revokeNewest)
  await expect.poll(countBlocked).toBe(1)
  const disclosure = withLongLockTimeout((tx) => run(tx, access))
  await expect.poll(countBlocked).toBe(2)
  await holder.commit().execute()
  await revocation
  expect(await disclosure).toBe(false)
})
