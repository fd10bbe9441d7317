// A disclosure can wait for the lock of the citizen. If a revocation that waits in front of it is done first,
// it discloses nothing.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { revokeConsent } from '../../src/authorizations/revoke-authorization/revoke-authorization.sql.ts'
import type { Database } from '../../src/database/connect.ts'
import { startServiceForFile } from '../kit/api-client.ts'
import { countBlocked, withLongLockTimeout } from '../kit/blocked-statements.ts'
import { disclosingStatements } from '../kit/disclosing-statements.ts'

const { service, api } = await startServiceForFile()
const { repeatable, accessNow } = disclosingStatements(service, api)

async function revokeNewest(tx: Database): Promise<void> {
  const { rows } = await sql<{ tracking_no: string; uniqid_hmac: string }>`
    select r.tracking_no, c.uniqid_hmac from authorization_record r join citizen c on c.id = r.citizen_id
     order by r.requested_at desc limit 1`.execute(tx)
  await revokeConsent(tx, [rows[0]!.uniqid_hmac], rows[0]!.tracking_no, {
    requestId: 'revocation',
    traceparent: null,
  })
}

test.each(repeatable)('$name: discloses nothing after the revocation', async ({ kind, prepare }) => {
  const [run, access] = [await prepare(), await accessNow(kind)]
  const holder = await service.db.startTransaction().execute()
  await sql`select pg_advisory_xact_lock(1, (id & 2147483647)::int) from citizen`.execute(holder)
  const revocation = withLongLockTimeout(service.db, revokeNewest)
  await expect.poll(() => countBlocked(service.db)).toBe(1)
  const disclosure = withLongLockTimeout(service.db, (tx) => run(tx, access))
  await expect.poll(() => countBlocked(service.db)).toBe(2)
  await holder.commit().execute()
  await revocation
  expect(await disclosure).toBe(false)
})
