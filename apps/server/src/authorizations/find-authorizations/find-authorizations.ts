import { Failure } from '../../failure.ts'
import type { Operation } from '../../operation.ts'
import { toTracked } from '../tracked-record.ts'
import { findRecordsOfAllPartners } from './find-authorizations.sql.ts'

export const findAuthorizations: Operation<'findAuthorizations'> = async ({ db }, { path }) => {
  const rows = await findRecordsOfAllPartners(db, path.tracking_no)
  if (!rows.length) throw new Failure('tracking_no_not_found')
  const authorizations = rows.map((row) => ({ partner_code: row.partner_code, ...toTracked(row) }))
  return { status: 200, body: { authorizations } }
}
