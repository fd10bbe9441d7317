// A statement that changes citizens waits for the locks of these citizens, and of no others.
import { type ControlledTransaction, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { destroyDataKey } from '../../src/citizens/erase-citizen/erase-citizen.sql.ts'
import { putPreferences, reapplyRestriction } from '../../src/citizens/preferences/preferences.sql.ts'
import { writeCitizens } from '../../src/citizens/put-citizens.sql.ts'
import { updateKeys } from '../../src/citizens/rewrap-citizens.sql.ts'
import type { Database } from '../../src/database/connect.ts'
import { deleteOwnedRows } from '../../src/sandbox/owned-rows.sql.ts'
import { startServiceForFile } from '../kit/api-client.ts'
import { countBlocked } from '../kit/blocked-statements.ts'
import { addCitizen, type CitizenRow } from '../kit/rows.ts'

const { service } = await startServiceForFile()
const { db } = service

const ACTION = { kind: 'test', actor: 'test', requestId: 'test' }
const FREEZE = { freeze: true, block: [] }

type Statement = { name: string; run: (db: Database, citizen: CitizenRow) => Promise<unknown> }

const STATEMENTS: Statement[] = [
  { name: 'updateKeys', run: (tx, row) => updateKeys(tx, [{ ...row, from: row.data_key }], ACTION) },
  {
    name: 'deleteOwnedRows',
    run: (tx, { id }) => deleteOwnedRows(tx, { id: -1, partner_id: -1, citizen_ids: [id] }),
  },
  {
    name: 'destroyDataKey by the HMAC',
    run: (tx, { uniqid_hmac }) => destroyDataKey(tx, { uniqidHmacs: [uniqid_hmac] }, ACTION),
  },
  {
    name: 'destroyDataKey by the subject',
    run: (tx, { subject }) => destroyDataKey(tx, { subject }, ACTION),
  },
  { name: 'writeCitizens', run: (tx, row) => writeCitizens(tx, [{ ...row, is_known: true }]) },
  {
    name: 'writeCitizens by an administrator',
    run: (tx, row) => writeCitizens(tx, [{ ...row, is_known: true }], ACTION),
  },
  {
    name: 'putPreferences',
    run: (tx, { uniqid_hmac }) =>
      putPreferences(tx, [uniqid_hmac], { frozen: true, blocked_partners: [] }, 'test'),
  },
  {
    name: 'reapplyRestriction',
    run: (tx, { subject }) => reapplyRestriction(tx, subject, FREEZE, new Date(), ACTION),
  },
]

/** A transaction that may be idle as long as a busy machine needs. */
async function begin(): Promise<ControlledTransaction<unknown>> {
  const tx = await db.startTransaction().execute()
  await sql`
    select set_config('lock_timeout', '60000', true),
           set_config('idle_in_transaction_session_timeout', '60000', true)`.execute(tx)
  return tx
}

const changes = async ({ id }: CitizenRow) =>
  (await sql<{ xmin: string }>`select xmin from citizen where id = ${id}`.execute(db)).rows[0]?.xmin

/** Runs a statement while another transaction holds a lock. Returns whether it waited. */
async function waits(lock: string, act: (tx: Database) => Promise<unknown>): Promise<boolean> {
  const [holder, tx] = [await begin(), await begin()]
  await sql.raw(lock).execute(holder)
  let isDone = false
  const acting = act(tx).finally(() => (isDone = true))
  let isBlocked = false
  while (!isDone && !isBlocked) isBlocked = (await countBlocked(db)) > 0
  await holder.rollback().execute()
  await acting
  await tx.commit().execute()
  return isBlocked
}

const readLock = ({ id }: CitizenRow) => `select pg_advisory_xact_lock_shared(1, ${id})`

describe.each(STATEMENTS)('$name', ({ run }) => {
  test('waits for a statement that reads the citizen', async () => {
    const citizen = await addCitizen(db)
    const before = await changes(citizen)
    expect(await waits(readLock(citizen), (tx) => run(tx, citizen))).toBe(true)
    expect(await changes(citizen)).not.toBe(before)
  })

  test('does not wait for statements on other citizens', async () => {
    const citizen = await addCitizen(db)
    const before = await changes(citizen)
    const locks = `
      select pg_advisory_xact_lock(1, id::int) from citizen where id <> ${citizen.id} for update`
    expect(await waits(locks, (tx) => run(tx, citizen))).toBe(false)
    expect(await changes(citizen)).not.toBe(before)
  })
})

test.each([undefined, ACTION])(
  'writeCitizens does not wait for a citizen that it may not replace, with the action %j',
  async (action) => {
    const citizen = await addCitizen(db)
    const write = (tx: Database) => writeCitizens(tx, [{ ...citizen, is_known: false }], action)
    expect(await waits(readLock(citizen), write)).toBe(false)
  },
)
