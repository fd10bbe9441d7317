import { unknownPartner } from '../failure.ts'
import type { Operation } from '../operation.ts'
import { invite } from './invite-member.ts'
import { findPartnerId } from './member.sql.ts'

export const invitePartnerMember: Operation<'invitePartnerMember'> = async (
  service,
  { caller, path, query, body, requestId },
) => {
  const partnerId = await findPartnerId(service.db, path.partner_code)
  if (partnerId === undefined) throw unknownPartner()
  return invite(service, { partnerId, partnerCode: path.partner_code }, body, {
    actor: caller.subject,
    requestId,
    ...query,
  })
}
