import { paginate } from '../../database/pagination.ts'
import type { Operation } from '../../operation.ts'
import { PARTNER_CODE, toPartner } from '../partner.ts'
import { findPartners } from './list-partners.sql.ts'

export const listPartners: Operation<'listPartners'> = async ({ db }, { query }) => {
  const { rows, next_cursor } = await paginate(query, {
    locate: (code) => (PARTNER_CODE.test(code) ? code : undefined),
    read: (after, limit) => findPartners(db, { status: query.status, text: query.q, after, limit }),
    toCursor: ({ partner_code }) => partner_code,
  })
  return { status: 200, body: { partners: rows.map(toPartner), next_cursor } }
}
