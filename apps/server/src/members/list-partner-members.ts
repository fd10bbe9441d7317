import { unknownPartner } from '../failure.ts'
import type { Operation } from '../operation.ts'
import { findMembers, findPartnerId } from './member.sql.ts'
import { toMember } from './member.ts'

export const listPartnerMembers: Operation<'listPartnerMembers'> = async ({ db }, { path }) => {
  const partnerId = await findPartnerId(db, path.partner_code)
  if (partnerId === undefined) throw unknownPartner()
  const rows = await findMembers(db, partnerId, { isComplete: true })
  return { status: 200, body: { members: rows.map(toMember) } }
}
