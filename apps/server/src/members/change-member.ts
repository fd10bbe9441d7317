import type { Operation } from '../operation.ts'
import { setMemberRole } from './member.sql.ts'
import { refuseOwnMembership, toMember, unknownMember } from './member.ts'

export const changeMember: Operation<'changeMember'> = async (
  { db },
  { caller, path: { member_id }, body: { role }, requestId },
) => {
  if (member_id === caller.memberId) throw refuseOwnMembership()
  const row = await setMemberRole(db, caller.partnerId, member_id, role, {
    kind: 'member.changed',
    actor: caller.memberId,
    requestId,
    detail: `${member_id} ${role}`,
  })
  if (!row) throw unknownMember()
  return { status: 200, body: toMember(row) }
}
