import { Failure, unknownPartner } from '../../failure.ts'
import type { Operation } from '../../operation.ts'
import { toPartner } from '../partner.ts'
import { setPartnerStatus } from './partner-status.sql.ts'

export const resumePartner: Operation<'resumePartner'> = async (
  service,
  { caller, path, query, requestId },
) => {
  const action = { kind: 'partner.resumed', actor: caller.subject, requestId, ...query }
  const partner = await setPartnerStatus(service, path.partner_code, 'ACTIVE', action)
  if (!partner) throw unknownPartner()
  if (partner.status !== 'ACTIVE') throw new Failure('going_live_report_required')
  return { status: 200, body: toPartner(partner) }
}
