import type { Schemas } from '@tiwala/contract'
import { Failure } from '../../failure.ts'
import { updatePartner } from '../../partners/change-partner/change-partner.sql.ts'
import { limitsOf } from '../../partners/partner.ts'
import { setPartnerStatus } from '../../partners/status/partner-status.sql.ts'
import { SANDBOX_SCOPES } from '../partner.ts'
import type { OwnHandler } from './own-handler.ts'

type Condition = Required<Pick<Schemas['Partner'], 'status' | 'scopes' | 'ip_allow_list' | 'limits'>>

const NORMAL: Condition = {
  status: 'ACTIVE',
  scopes: SANDBOX_SCOPES,
  ip_allow_list: [],
  limits: limitsOf({}),
}

/** States of the partner in which requests get errors that a visitor could not cause otherwise. */
const CONDITIONS: Record<string, Condition> = {
  normal: NORMAL,
  suspended: { ...NORMAL, status: 'SUSPENDED' },
  without_profile_scopes: { ...NORMAL, scopes: ['SSO_AUTHENTICATION'] },
  // An address of the range for documentation: no request comes from it.
  other_address_only: { ...NORMAL, ip_allow_list: ['192.0.2.1'] },
  one_request_per_minute: { ...NORMAL, limits: limitsOf({ requests_per_minute: 1 }) },
  one_request_per_day: { ...NORMAL, limits: limitsOf({ per_day: 1 }) },
}

/** `{"condition": "suspended"}` puts the partner of a private sandbox into this state. */
export const setCondition: OwnHandler = async (service, { partner_code }, req) => {
  const { condition } = (req.body ?? {}) as { condition?: unknown }
  const chosen =
    typeof condition === 'string' && Object.hasOwn(CONDITIONS, condition) && CONDITIONS[condition]
  if (!chosen)
    throw new Failure('validation_failed', {
      errors: { condition: [`must be one of ${Object.keys(CONDITIONS).join(', ')}`] },
    })
  const { status, ...change } = chosen
  const action = { actor: 'sandbox', requestId: req.exchange.requestId }
  await setPartnerStatus(service, partner_code, status, {
    ...action,
    kind: status === 'ACTIVE' ? 'partner.resumed' : 'partner.suspended',
  })
  await updatePartner(service, partner_code, change, { ...action, kind: 'partner.changed' })
  return { body: { condition } }
}
