import { Failure } from '../http/failure.ts'
import type { Operation } from '../operation.ts'
import { setPartnerStatus } from './store.ts'
import { toPartner } from './wire.ts'

export const resumePartner: Operation<'resumePartner'> = async ({ db }, { caller, path, requestId }) => {
  const deed = { kind: 'partner.resumed', actor: caller.subject, requestId }
  const partner = await setPartnerStatus(db, path.partner_code, 'ACTIVE', deed)
  if (!partner) throw new Failure('not_found', { message: 'No partner has this partner_code' })
  return { status: 200, body: toPartner(partner) }
}
