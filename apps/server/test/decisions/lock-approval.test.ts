// A decision waits for each change of its partner, and for each disclosure of its citizen.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Database } from '../../src/database/connect.ts'
import { lockApproval } from '../../src/decisions/lock-approval.sql.ts'
import { WAITS, whileHeld } from '../kit/blocked-statements.ts'
import { add, addCitizen, addPartner, secondsFromNow, type Values } from '../kit/rows.ts'
import { openDatabaseForFile } from '../kit/statement-database.ts'

const database = await openDatabaseForFile()

/** The lock of a new approval. */
async function lockOf(values: Values) {
  const [approval_id, expires_at] = [randomUUID(), secondsFromNow(60)]
  const approval = { approval_id, requested_by: 'asker', change: '{}', previous: '{}', expires_at }
  await add(database, 'approval', { ...approval, ...values })
  return (tx: Database) => lockApproval(tx, approval_id, { actor: 'second', subject: '' })
}

test('of a partner', async () => {
  const { id } = await addPartner(database)
  const lock = await lockOf({ kind: 'suspension', partner_id: id })
  const change = `select from partner where id = ${id} for no key update`
  expect(await whileHeld(database, change, lock)).toBe(WAITS)
  expect(await whileHeld(database, 'select', lock)).toMatchObject({ kind: 'suspension', is_own: false })
})

test('of a citizen', async () => {
  const { id } = await addCitizen(database)
  const lock = await lockOf({ kind: 'erasure', citizen_id: id })
  const disclosure = `select from lock_citizen_rows(array[${id}], false)`
  expect(await whileHeld(database, disclosure, lock)).toBe(WAITS)
  expect(await whileHeld(database, 'select', lock)).toMatchObject({ kind: 'erasure', is_own: false })
})
