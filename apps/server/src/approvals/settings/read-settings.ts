import type { Schemas } from '@tiwala/contract'
import { SHARED_FIELDS } from '../../citizens/profile.ts'
import type { Operation, Service } from '../../operation.ts'
import { findApprovals } from '../approval.sql.ts'
import { needsApproval, toOwnApproval } from '../approval.ts'
import { findSettings } from './settings.ts'

/** `maxItems` of the OpenAPI document. */
const MAX_APPROVALS = 20

export const readSettings: Operation<'readSettings'> = async (service, { caller }) => ({
  status: 200,
  body: await describeSettings(service, caller.partnerCode),
})

export async function describeSettings(
  { db, config }: Service,
  partnerCode: string,
): Promise<Schemas['PartnerSettings']> {
  const { partner, registration, settings } = await findSettings(db, partnerCode)
  const approvals = await findApprovals(db, { partnerCode, status: undefined }, undefined, MAX_APPROVALS)
  return {
    partner_code: partner.partner_code,
    name: partner.name,
    purpose: partner.purpose,
    ...settings,
    profile_fields: [...SHARED_FIELDS],
    purposes: registration?.purposes ?? [],
    needs_approval: needsApproval(config, 'settings'),
    approvals: approvals.map(toOwnApproval),
  }
}
