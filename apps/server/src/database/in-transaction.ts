import type { Database } from './connect.ts'

/** Runs in the transaction that `db` is, or else in one of its own. */
export const inTransaction = <Result>(
  db: Database,
  work: (tx: Database) => Promise<Result>,
): Promise<Result> => (db.isTransaction ? work(db) : db.transaction().execute(work))
