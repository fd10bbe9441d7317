import type { Operation } from '../operation.ts'
import { changeAsAdmin } from './change-as-admin.ts'
import { deleteMember } from './member.sql.ts'

export const removeMember: Operation<'removeMember'> = async (
  service,
  { caller, path: { member_id }, requestId },
) => {
  const action = { kind: 'member.removed', actor: caller.memberId, requestId, detail: member_id }
  const body = await changeAsAdmin(service, caller, member_id, (tx) =>
    deleteMember(tx, caller.partnerId, member_id, action),
  )
  return { status: 200, body }
}
