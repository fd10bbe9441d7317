import type { Schemas } from '@tiwala/contract'
import { updatePartner } from '../partners/change-partner/change-partner.sql.ts'
import { limitsOf } from '../partners/partner.ts'
import { setPartnerStatus } from '../partners/status/partner-status.sql.ts'
import { ownHandler } from './own-handler.ts'
import { SANDBOX_SCOPES } from './partner.ts'

type Condition = Required<Pick<Schemas['Partner'], 'status' | 'scopes' | 'ip_allow_list' | 'limits'>>

const NORMAL: Condition = {
  status: 'ACTIVE',
  scopes: SANDBOX_SCOPES,
  ip_allow_list: [],
  limits: limitsOf({}),
}

/** States of the partner in which requests get errors that a visitor could not cause otherwise. */
const CONDITIONS = {
  normal: NORMAL,
  suspended: { ...NORMAL, status: 'SUSPENDED' },
  without_profile_scopes: { ...NORMAL, scopes: ['SSO_AUTHENTICATION'] },
  // An address of the range for documentation: no request comes from it.
  other_address_only: { ...NORMAL, ip_allow_list: ['192.0.2.1'] },
  one_request_per_minute: { ...NORMAL, limits: limitsOf({ requests_per_minute: 1 }) },
  one_request_per_day: { ...NORMAL, limits: limitsOf({ per_day: 1 }) },
} satisfies Record<string, Condition>

/** `{"condition": "suspended"}` puts the partner of a sandbox into this state. */
export const setCondition = ownHandler<{ condition: keyof typeof CONDITIONS }>(
  { condition: { enum: Object.keys(CONDITIONS) } },
  async (service, { partner_code }, { condition }, { exchange: { requestId } }) => {
    const { status, ...change }: Condition = CONDITIONS[condition]
    const action = { actor: 'sandbox', requestId }
    await setPartnerStatus(service, partner_code, status, {
      ...action,
      kind: status === 'ACTIVE' ? 'partner.resumed' : 'partner.suspended',
    })
    await updatePartner(service, partner_code, change, { ...action, kind: 'partner.changed' })
    return { body: { condition } }
  },
)
