import type { OperatorOperations } from '@tiwala/contract'
import type { ApprovalKind, ApprovalRow } from '../approvals/approval.ts'
import { destroyDataKey } from '../citizens/erase-citizen/erase-citizen.sql.ts'
import { Failure } from '../failure.ts'
import { acceptReport } from '../going-live/decide-going-live-report.ts'
import type { Service } from '../operation.ts'
import { applySettings } from '../partner-settings/apply-settings.ts'
import { findSettings } from '../partner-settings/settings.ts'
import { updatePartner } from '../partners/change-partner/change-partner.sql.ts'
import { setPartnerStatus } from '../partners/status/partner-status.sql.ts'

type By = { actor: string; requestId: string; reason?: string | undefined }
type Act = {
  /** The operation whose scopes the second person needs, too. `undefined`: a person of a partner asked. */
  needs?: keyof OperatorOperations
  /** Makes the change, in the transaction that ends the approval. */
  apply: (service: Service, approval: ApprovalRow, by: By) => Promise<void>
}

export const ACTS: Record<ApprovalKind, Act> = {
  settings: {
    apply: async (service, { partner_code, change }, by) =>
      applySettings(service, await findSettings(service.db, partner_code!), change, by),
  },
  suspension: {
    needs: 'suspendPartner',
    apply: async (service, { partner_code }, by) => {
      await setPartnerStatus(service, partner_code!, 'SUSPENDED', { ...by, kind: 'partner.suspended' })
    },
  },
  resumption: {
    needs: 'resumePartner',
    apply: async (service, { partner_code }, by) => {
      const action = { ...by, kind: 'partner.resumed' }
      const partner = await setPartnerStatus(service, partner_code!, 'ACTIVE', action)
      if (partner?.status !== 'ACTIVE')
        throw new Failure('approval_not_pending', {
          message: 'The partner needs an accepted report for going live first',
        })
    },
  },
  scope: {
    needs: 'changePartner',
    apply: async (service, { partner_code, change }, by) => {
      const action = { ...by, kind: 'partner.changed', detail: Object.keys(change).join(' ') }
      await updatePartner(service, partner_code!, change, action)
    },
  },
  going_live: {
    needs: 'decideGoingLiveReport',
    apply: async (service, { partner_code, change }, by) => {
      await acceptReport(service, partner_code!, change.report!, by)
    },
  },
  erasure: {
    needs: 'eraseCitizen',
    apply: async ({ db }, { citizen }, by) => {
      if (!(citizen && (await destroyDataKey(db, { subject: citizen.subject }, by))))
        throw new Failure('approval_not_pending')
    },
  },
}
