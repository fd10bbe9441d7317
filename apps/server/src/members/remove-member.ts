import type { Operation } from '../operation.ts'
import { deleteMember } from './member.sql.ts'
import { refuseOwnMembership, toMember, unknownMember } from './member.ts'

export const removeMember: Operation<'removeMember'> = async (
  { db },
  { caller, path: { member_id }, requestId },
) => {
  if (member_id === caller.memberId) throw refuseOwnMembership()
  const row = await deleteMember(db, caller.partnerId, member_id, {
    kind: 'member.removed',
    actor: caller.memberId,
    requestId,
    detail: member_id,
  })
  if (!row) throw unknownMember()
  return { status: 200, body: toMember(row) }
}
