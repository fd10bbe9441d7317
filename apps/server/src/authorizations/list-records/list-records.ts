import type { Query, Schemas } from '@tiwala/contract'
import type { Database } from '../../database/connect.ts'
import { paginate } from '../../database/pagination.ts'
import type { Operation } from '../../operation.ts'
import { fromCursor, toCursor } from '../record-position.ts'
import { toTracked } from '../tracked-record.ts'
import { findRecordsOfPartner } from './list-records.sql.ts'

export const listRecords: Operation<'listRecords'> = async ({ db }, { caller, query }) => ({
  status: 200,
  body: { status: 200, message: 'OK', data: await listRecordsOf(db, caller.id, query) },
})

/** One page of a partner's records. */
export async function listRecordsOf(
  db: Database,
  partnerId: number,
  query: Query<'listRecords'>,
): Promise<Schemas['RecordPage']> {
  const { rows, next_cursor } = await paginate(query, {
    locate: fromCursor,
    read: (after, limit) => findRecordsOfPartner(db, partnerId, { state: query.state, after, limit }),
    toCursor,
  })
  return { records: rows.map(toTracked), next_cursor }
}
