// The lock that orders the statements on a citizen, and the condition under which a citizen allows a
// disclosure.
//
// The problem: while a writer waits for a row, PostgreSQL lets new readers (`for share`) join the readers
// that hold the row. A partner that reads without a pause could keep a citizen from freezing or erasing their
// data.
//
// The solution is the CTE `citizen_lock` (`lockCitizens`): an advisory lock per citizen, taken before the
// row's lock. Advisory locks queue: a reader that comes after a waiting writer waits for that writer. A
// statement that reads the same citizen again and again takes the shared lock; each statement that changes a
// citizen's row, or revokes a consent, takes the exclusive one.
//
// Example: two inquiries hold the shared lock of a citizen. The citizen freezes everything: the statement
// asks for the exclusive lock and waits for both. A third inquiry queues behind it, and then finds the
// citizen frozen.
//
// Guarantees: a writer waits only for the readers that came before it. The locks of one statement are taken
// in ascending order, so statements with several citizens never deadlock. After the citizen has got the
// response that a change is stored, no statement discloses anything that the change forbids.
import { type RawBuilder, sql } from 'kysely'

/**
 * The first of the two numbers of the advisory lock; the second is the citizen. PostgreSQL keeps them apart
 * from locks of one number.
 */
const CITIZEN_LOCK_CLASS = 1

/**
 * The CTE `citizen_lock`, one row: takes the advisory locks of the citizens in the query `ids` (a column
 * `id`) until the transaction ends. A CTE that locks citizen rows must read from `citizen_lock`, so that the
 * advisory locks come first.
 */
export const lockCitizens = (mode: 'shared' | 'exclusive', ids: RawBuilder<unknown>): RawBuilder<unknown> => {
  const lock = sql.raw(mode === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock')
  return sql`citizen_lock as materialized (
      select count(${lock}(${sql.lit(CITIZEN_LOCK_CLASS)}, key)) from (
        select distinct (id & 2147483647)::int as key from (${ids}) citizens order by key
      ) keys
    )`
}

/**
 * The condition that a citizen allows disclosures to a partner: the citizen is not frozen and has not blocked
 * the partner. `citizen` is the alias of the citizen's row. Every statement that discloses contains it, so
 * that nothing is disclosed after the citizen got the response that the preferences are stored.
 */
export const citizenAllows = (
  citizen: string,
  partnerId: RawBuilder<unknown> | number,
): RawBuilder<boolean> =>
  sql<boolean>`(not ${sql.ref(`${citizen}.frozen`)}
       and not (${partnerId} = any(${sql.ref(`${citizen}.blocked_partner_ids`)})))`
