import { unknownPartner } from '../../failure.ts'
import type { Operation } from '../../operation.ts'
import { changeOrAsk } from '../change-or-ask.ts'
import { toPartner } from '../partner.ts'
import { setPartnerStatus } from './partner-status.sql.ts'

export const suspendPartner: Operation<'suspendPartner'> = async (
  service,
  { caller, path, query, requestId },
) => {
  const by = { actor: caller.subject, requestId, ...query }
  return changeOrAsk(service, path.partner_code, 'suspension', by, {
    differenceOf: ({ status }) =>
      status === 'SUSPENDED' ? undefined : { change: { status: 'SUSPENDED' }, previous: { status } },
    change: async (within) => {
      const action = { ...by, kind: 'partner.suspended' }
      const partner = await setPartnerStatus(within, path.partner_code, 'SUSPENDED', action)
      if (!partner) throw unknownPartner()
      return { status: 200 as const, body: toPartner(partner) }
    },
  })
}
