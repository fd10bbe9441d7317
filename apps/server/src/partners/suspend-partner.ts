import { unknownPartner } from '../failure.ts'
import type { Operation } from '../operation.ts'
import { setPartnerStatus } from './store.ts'
import { toPartner } from './wire.ts'

export const suspendPartner: Operation<'suspendPartner'> = async (service, { caller, path, requestId }) => {
  const action = { kind: 'partner.suspended', actor: caller.subject, requestId }
  const partner = await setPartnerStatus(service, path.partner_code, 'SUSPENDED', action)
  if (!partner) throw unknownPartner()
  return { status: 200, body: toPartner(partner) }
}
