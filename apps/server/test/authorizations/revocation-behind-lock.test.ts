// A disclosure or an acceptance can wait for the lock of the citizen. If a revocation that waits in front of it is done
// first, it discloses nothing. If a change of the profile is done first, it stores the changed profile.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { storeAnswer } from '../../src/authorizations/answer/answer.ts'
import { revokeConsent } from '../../src/authorizations/revoke-authorization/revoke-authorization.sql.ts'
import { putCitizens } from '../../src/citizens/put-citizens.ts'
import type { Database } from '../../src/database/connect.ts'
import type { Service } from '../../src/operation.ts'
import { sandboxCitizens } from '../../src/sandbox/citizens.ts'
import { openKeyRing } from '../../src/secrets/open-key-ring.ts'
import { startServiceForFile } from '../kit/api-client.ts'
import { countBlocked, withLongLockTimeout } from '../kit/blocked-statements.ts'
import { disclosingStatements } from '../kit/disclosing-statements.ts'

const { service, api } = await startServiceForFile()
const { repeatable, accessNow } = disclosingStatements(service, api)

const ORIGIN = { requestId: 'test', traceparent: null }

async function revokeNewest(tx: Database): Promise<void> {
  const { rows } = await sql<{ tracking_no: string; uniqid_hmac: string }>`
    select r.tracking_no, c.uniqid_hmac from authorization_record r join citizen c on c.id = r.citizen_id
     order by r.requested_at desc limit 1`.execute(tx)
  await revokeConsent(tx, [rows[0]!.uniqid_hmac], rows[0]!.tracking_no, ORIGIN)
}

/** Runs `first`, and `second` behind it, while another transaction has the locks of all citizens. */
async function behindLock<First, Second>(
  first: (tx: Database) => Promise<First>,
  second: (tx: Database) => Promise<Second>,
): Promise<[First, Second]> {
  const holder = await service.db.startTransaction().execute()
  await sql`select pg_advisory_xact_lock(1, (id & 2147483647)::int) from citizen`.execute(holder)
  const running = withLongLockTimeout(service.db, first)
  await expect.poll(() => countBlocked(service.db)).toBe(1)
  const next = withLongLockTimeout(service.db, second)
  await expect.poll(() => countBlocked(service.db)).toBe(2)
  await holder.commit().execute()
  return Promise.all([running, next])
}

test.each(repeatable)('$name: discloses nothing after the revocation', async ({ kind, prepare }) => {
  const [run, access] = [await prepare(), await accessNow(kind)]
  const [, isDisclosed] = await behindLock(revokeNewest, (tx) => run(tx, access))
  expect(isDisclosed).toBe(false)
})

test('an acceptance stores the profile as it is after the change', async () => {
  const trackingNo = await api.createPendingRecord()
  const { keys, close } = await openKeyRing(service.config, () => {})
  const ownOf = (db: Database) => ({ db, config: service.config, keys }) as Service
  const { uniqid } = api.citizens[0]!
  const { profile, passport } = sandboxCitizens(service.url).find((each) => each.profile.uniqid === uniqid)!
  const [, seconds] = await behindLock(
    (tx) => putCitizens(ownOf(tx), [{ profile: { ...profile, last_name: 'Changed' }, passport }]),
    (tx) => storeAnswer(ownOf(tx), keys.hmacs('uniqid', uniqid), trackingNo, 'ACCEPTED', ORIGIN),
  )
  await close()
  expect(seconds).toBeTypeOf('number')
  expect(await (await api.inquire(trackingNo)).json()).toMatchObject({
    data: { is_accepted: 1, response: { last_name: 'Changed' } },
  })
})
