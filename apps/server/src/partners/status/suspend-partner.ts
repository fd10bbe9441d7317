import { unknownPartner } from '../../failure.ts'
import type { Operation } from '../../operation.ts'
import { toPartner } from '../partner.ts'
import { setPartnerStatus } from './partner-status.sql.ts'

export const suspendPartner: Operation<'suspendPartner'> = async (
  service,
  { caller, path, query, requestId },
) => {
  const action = { kind: 'partner.suspended', actor: caller.subject, requestId, ...query }
  const partner = await setPartnerStatus(service, path.partner_code, 'SUSPENDED', action)
  if (!partner) throw unknownPartner()
  return { status: 200, body: toPartner(partner) }
}
