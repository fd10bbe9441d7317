import type { Service } from '../operation.ts'
import { updatePartner } from '../partners/change-partner/change-partner.sql.ts'
import { findPartner, lockPartnerByCode } from '../partners/partner.sql.ts'
import { toPartner } from '../partners/partner.ts'
import { setPartnerStatus } from '../partners/status/partner-status.sql.ts'
import { ownHandler } from './own-handler.ts'
import { type Condition, findBeforeCondition, setBeforeCondition } from './sandboxes.sql.ts'

/** States of the partner in which requests get errors that a visitor could not cause otherwise. */
const CONDITIONS = {
  normal: {},
  suspended: { status: 'SUSPENDED' },
  without_profile_scopes: { scopes: ['SSO_AUTHENTICATION'] },
  // An address of the range for documentation: no request comes from it.
  other_address_only: { ip_allow_list: ['192.0.2.1'] },
  one_request_per_minute: { limits: { requests_per_minute: 1 } },
  one_request_per_day: { limits: { per_day: 1 } },
} satisfies Record<string, Condition>

/**
 * `{"condition": "suspended"}` puts the partner of a sandbox into this state. It changes only the fields of the
 * condition. First it restores what the earlier condition replaced, such as the partner's own allow list.
 */
export const setCondition = ownHandler<{ condition: keyof typeof CONDITIONS }>(
  { condition: { enum: Object.keys(CONDITIONS) } },
  async (service, { id, partner_code }, { condition }, { exchange: { requestId } }) => {
    const change: Condition = CONDITIONS[condition]
    await service.db.transaction().execute(async (db) => {
      await lockPartnerByCode(db, partner_code)
      const before = await findBeforeCondition(db, id)
      // The sandbox has ended meanwhile. Its partner stays suspended.
      if (!before) return
      await changeFields({ ...service, db }, partner_code, before, requestId)
      const partner = toPartner((await findPartner(db, partner_code))!)
      const replaced = Object.keys(change).map((name) => [name, partner[name as keyof Condition]])
      await setBeforeCondition(db, id, Object.fromEntries(replaced) as Condition)
      await changeFields({ ...service, db }, partner_code, change, requestId)
    })
    // Until the commit, another request may have read the state before it.
    service.partnerCache.invalidate()
    return { body: { condition } }
  },
)

async function changeFields(
  service: Service,
  partnerCode: string,
  { status, ...change }: Condition,
  requestId: string,
): Promise<void> {
  const action = { actor: 'sandbox', requestId }
  if (status)
    await setPartnerStatus(service, partnerCode, status, {
      ...action,
      kind: status === 'ACTIVE' ? 'partner.resumed' : 'partner.suspended',
    })
  await updatePartner(service, partnerCode, change, { ...action, kind: 'partner.changed' })
}
