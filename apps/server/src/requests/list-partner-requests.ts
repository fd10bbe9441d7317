import { unknownPartner } from '../failure.ts'
import { findPartnerId } from '../members/member.sql.ts'
import type { Operation } from '../operation.ts'
import { listRequestsOf } from './list-requests.ts'

export const listPartnerRequests: Operation<'listPartnerRequests'> = async ({ db }, { path, query }) => {
  const partnerId = await findPartnerId(db, path.partner_code)
  if (partnerId === undefined) throw unknownPartner()
  return { status: 200, body: await listRequestsOf(db, partnerId, query) }
}
