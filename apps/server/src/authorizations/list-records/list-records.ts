import { paginate } from '../../database/pagination.ts'
import type { Operation } from '../../operation.ts'
import { fromCursor, toCursor } from '../record-position.ts'
import { toTracked } from '../tracked-record.ts'
import { findRecordsOfPartner } from './list-records.sql.ts'

export const listRecords: Operation<'listRecords'> = async ({ db }, { caller, query }) => {
  const { rows, next_cursor } = await paginate(query, {
    locate: fromCursor,
    read: (after, limit) => findRecordsOfPartner(db, caller.id, { state: query.state, after, limit }),
    toCursor,
  })
  return {
    status: 200,
    body: { status: 200, message: 'OK', data: { records: rows.map(toTracked), next_cursor } },
  }
}
