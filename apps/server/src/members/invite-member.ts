import type { Body } from '@tiwala/contract'
import type { AdminAction } from '../audit/insert-audit.sql.ts'
import type { Operation, Service } from '../operation.ts'
import { mintMemberId } from '../secrets/tokens.ts'
import { asAdmin } from './as-admin.ts'
import { insertMember } from './member.sql.ts'
import { memberExists, normalizeEmail, toMember } from './member.ts'

export const inviteMember: Operation<'inviteMember'> = async (service, { caller, body, requestId }) =>
  asAdmin(service.db, caller, (db) =>
    invite({ db }, caller.partnerId, body, { actor: caller.memberId, requestId }),
  )

/** An invitation by a member or an administrator. The detail of its audit row names the new member and the role. */
export async function invite(
  { db }: Pick<Service, 'db'>,
  partnerId: number,
  { email, role }: Body<'inviteMember'>,
  action: Omit<AdminAction, 'kind' | 'detail'>,
) {
  const memberId = mintMemberId()
  const row = await insertMember(
    db,
    { partnerId, memberId, email: normalizeEmail(email), role },
    { ...action, kind: 'member.invited', detail: `${memberId} ${role}` },
  )
  if (!row) throw memberExists()
  return { status: 201 as const, body: toMember(row) }
}
