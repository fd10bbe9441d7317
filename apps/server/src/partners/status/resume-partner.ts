import { Failure, unknownPartner } from '../../failure.ts'
import type { Operation } from '../../operation.ts'
import { changeOrAsk } from '../change-or-ask.ts'
import { toPartner } from '../partner.ts'
import { findSimilar } from '../similar-names.ts'
import { setPartnerStatus } from './partner-status.sql.ts'

export const resumePartner: Operation<'resumePartner'> = async (
  service,
  { caller, path, query, requestId },
) => {
  const by = { actor: caller.subject, requestId, ...query }
  return changeOrAsk(service, path.partner_code, 'resumption', by, {
    differenceOf: ({ status, going_live }) =>
      // Without an accepted report, nothing can be granted: the change refuses it at once.
      status === 'ACTIVE' || (going_live && going_live.status !== 'ACCEPTED')
        ? undefined
        : { change: { status: 'ACTIVE' }, previous: { status } },
    change: async (within) => {
      const action = { ...by, kind: 'partner.resumed' }
      const partner = await setPartnerStatus(within, path.partner_code, 'ACTIVE', action)
      if (!partner) throw unknownPartner()
      if (partner.status !== 'ACTIVE') throw new Failure('going_live_report_required')
      // A visitor of the sandbox must not learn the codes of others.
      const similar = caller.onlyPartner === null ? await findSimilar(within.db, partner) : {}
      return { status: 200 as const, body: { ...toPartner(partner), ...similar } }
    },
  })
}
