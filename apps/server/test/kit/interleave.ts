// Runs two statements of two transactions in a chosen order, and stops them at a chosen lock.
//
// A gate is a lock that a third transaction holds: of the citizen, of a row, or of a row that a foreign key
// refers to. The first statement starts and runs until it waits at the gate, or to its end if it does not
// need this lock. The second one does the same. Then the gate opens, and both end. So a statement that takes
// three locks stops at each of them, in one gate after the other, with the locks before it taken.
//
// Example: the gate is the lock of the citizen. Accepting waits for it. Cancelling does not need it, and runs to its
// end. The gate opens: accepting finds the record cancelled, and changes nothing.
//
// At the gates `the first commits` and `the first rolls back`, the first statement has run, and its
// transaction ends once the second statement waits for it or has run, and `meanwhile` has run, too.
import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../../src/database/connect.ts'
import { countBlocked } from './blocked-statements.ts'

const CITIZEN_LOCK = 'select pg_advisory_xact_lock(1, (id & 2147483647)::int) from citizen'
const rowsOf = (table: string) => ({ name: `the rows of ${table}`, lock: `select from ${table} for update` })

/**
 * The gates of statements that lock rows of these tables. Without `lock`, the gate is the end of the
 * first statement.
 */
export const gatesAt = (...tables: string[]): Gate[] => [
  { name: "the citizen's lock", lock: CITIZEN_LOCK },
  ...tables.map(rowsOf),
  { name: 'the first commits' },
  { name: 'the first rolls back' },
]

export type Gate = { name: string; lock?: string; meanwhile?: () => Promise<unknown> }
type Act<Result> = (tx: Database) => Promise<Result>

/** Returns the results of both. */
export async function interleave<First, Second>(
  db: Database,
  gate: Gate,
  first: Act<First>,
  second: Act<Second>,
): Promise<[First, Second]> {
  if (!gate.lock) {
    const tx = await db.startTransaction().execute()
    const firstResult = await first(tx)
    const later = inTransaction(db, second)
    await blockedOrDone(db, [later])
    await gate.meanwhile?.()
    await (gate.name === 'the first commits' ? tx.commit() : tx.rollback()).execute()
    return [firstResult, await later.result]
  }
  const holder = await db.startTransaction().execute()
  await sql.raw(gate.lock).execute(holder)
  const earlier = inTransaction(db, first)
  await blockedOrDone(db, [earlier])
  const later = inTransaction(db, second)
  await blockedOrDone(db, [earlier, later])
  await holder.commit().execute()
  return [await earlier.result, await later.result]
}

type Running<Result> = { result: Promise<Result>; isDone: boolean }

function inTransaction<Result>(db: Database, act: Act<Result>): Running<Result> {
  const result = db.transaction().execute(async (tx) => {
    // A busy machine does not exceed it.
    await sql`select set_config('lock_timeout', '60000', true)`.execute(tx)
    return act(tx)
  })
  const running = { result, isDone: false }
  const end = () => void (running.isDone = true)
  result.then(end, end)
  return running
}

async function blockedOrDone(db: Database, all: Running<unknown>[]): Promise<void> {
  while ((await countBlocked(db)) < all.filter(({ isDone }) => !isDone).length) await turn()
}
