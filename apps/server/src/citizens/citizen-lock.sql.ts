// The lock that orders the statements on a citizen, and the condition under which a citizen allows a
// disclosure.
//
// The problem: while a writer waits for a row, PostgreSQL lets new readers (`for share`) join the readers
// that hold the row. A partner that reads without a pause could keep a citizen from freezing or erasing their
// data.
//
// The solution is the CTE `locked_citizen` (`lockCitizens`): an advisory lock per citizen, and then the
// citizen's row as it is after the lock. Advisory locks queue: a reader that comes after a waiting writer waits
// for that writer. A statement that discloses takes the shared lock; each statement that changes a citizen's
// row, or revokes a consent, takes the exclusive one. Readers lock no row, because a row's lock is written to
// the page of the citizen, and so to PostgreSQL's log.
//
// Example: two inquiries hold the shared lock of a citizen. The citizen freezes everything: the statement
// asks for the exclusive lock and waits for both. A third inquiry queues behind it, and then finds the
// citizen frozen.
//
// Guarantees: a writer waits only for the readers that came before it. The locks of one statement are taken
// in ascending order, so statements with several citizens never deadlock. What a statement reads of a citizen
// in `locked_citizen` was committed before it had the lock, and stays until it commits. After the citizen has got the
// response that a change is stored, no statement discloses anything that the change forbids.
import { type RawBuilder, sql } from 'kysely'

/**
 * The CTE `locked_citizen`: takes the advisory locks of the citizens in the query `ids` (one column) until the
 * transaction ends, and has then a row for each that exists: `id`, `frozen`, `blocked_partner_ids` and the encrypted
 * `profile`, which each change of the citizen's data encrypts again. A statement takes the locks only if something reads
 * from this CTE.
 */
export const lockCitizens = (mode: 'shared' | 'exclusive', ids: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`locked_citizen as materialized (
      select * from lock_citizen_rows(array(${ids}), ${sql.lit(mode === 'exclusive')})
    )`

/**
 * The condition that a citizen allows disclosures to a partner: the citizen is not frozen and has not blocked
 * the partner. `citizen` is the alias of the citizen's row. Every statement that discloses contains it, of
 * `locked_citizen`, so that nothing is disclosed after the citizen got the response that the preferences are stored.
 */
export const citizenAllows = (
  citizen: string,
  partnerId: RawBuilder<unknown> | number,
): RawBuilder<boolean> =>
  sql<boolean>`(not ${sql.ref(`${citizen}.frozen`)}
       and not (${partnerId} = any(${sql.ref(`${citizen}.blocked_partner_ids`)})))`
