import type { Operation } from '../operation.ts'
import { changeAsAdmin } from './change-as-admin.ts'
import { setMemberRole } from './member.sql.ts'

export const changeMember: Operation<'changeMember'> = async (
  service,
  { caller, path: { member_id }, body: { role }, requestId },
) => {
  const action = {
    kind: 'member.changed',
    actor: caller.memberId,
    requestId,
    detail: `${member_id} ${role}`,
  }
  const body = await changeAsAdmin(service, caller, member_id, (tx) =>
    setMemberRole(tx, caller.partnerId, member_id, role, action),
  )
  return { status: 200, body }
}
