import { locateNumber, paginate } from '../database/pagination.ts'
import type { Operation } from '../operation.ts'
import { findAnomalies } from './anomaly.sql.ts'
import { toAnomaly } from './anomaly.ts'

export const listAnomalies: Operation<'listAnomalies'> = async ({ db }, { query }) => {
  const filter = { partnerCode: query.partner_code, kind: query.kind, open: query.open }
  const { rows, next_cursor } = await paginate(query, {
    locate: locateNumber,
    read: (before, limit) => findAnomalies(db, filter, before, limit),
    toCursor: ({ id }) => String(id),
  })
  return { status: 200, body: { anomalies: rows.map(toAnomaly), next_cursor } }
}
