import type { Body } from '@tiwala/contract'
import type { AdminAction } from '../audit/insert-audit.sql.ts'
import type { AuthenticatedMember, Operation, Service } from '../operation.ts'
import { mintMemberId } from '../secrets/tokens.ts'
import { asAdmin } from './as-admin.ts'
import { insertMember } from './member.sql.ts'
import { isOfOtherSandbox, memberExists, normalizeEmail, refuseOtherSandbox, toMember } from './member.ts'

export const inviteMember: Operation<'inviteMember'> = async (service, { caller, body, requestId }) =>
  asAdmin(service.db, caller, (db) =>
    invite({ ...service, db }, caller, body, { actor: caller.memberId, requestId }),
  )

/**
 * An invitation by a member or an administrator. The detail of its audit row names the new member and the role.
 *
 * A sandbox that others can reach lets every visitor be the viewer of the default sandbox. As a member of another partner,
 * that viewer would sign in to it at the next sign-in of any visitor.
 */
export async function invite(
  { db, config }: Pick<Service, 'db' | 'config'>,
  { partnerId, partnerCode }: Pick<AuthenticatedMember, 'partnerId' | 'partnerCode'>,
  body: Body<'inviteMember'>,
  action: Omit<AdminAction, 'kind' | 'detail'>,
) {
  const memberId = mintMemberId()
  const email = normalizeEmail(body.email)
  if (config.isPublicSandbox && isOfOtherSandbox(email, partnerCode)) throw refuseOtherSandbox()
  const row = await insertMember(
    db,
    { partnerId, memberId, email, role: body.role },
    { ...action, kind: 'member.invited', detail: `${memberId} ${body.role}` },
  )
  if (!row) throw memberExists()
  return { status: 201 as const, body: toMember(row) }
}
