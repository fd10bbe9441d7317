import type { Schemas } from '@tiwala/contract'
import { findApprovals } from '../approvals/approval.sql.ts'
import { type ApprovalRow, needsApproval, toApproval } from '../approvals/approval.ts'
import { SHARED_FIELDS } from '../citizens/profile.ts'
import { etagOfBody } from '../database/etag.ts'
import type { Operation, Service } from '../operation.ts'
import { findSettings } from './settings.ts'

/** `maxItems` of the OpenAPI document. */
const MAX_APPROVALS = 20

export const readSettings: Operation<'readSettings'> = async (service, { caller }) => {
  const body = await describeSettings(service, caller.partnerCode)
  return { status: 200, body, headers: { ETag: etagOfBody(body) } }
}

export async function describeSettings(
  { db, config }: Service,
  partnerCode: string,
): Promise<Schemas['PartnerSettings']> {
  const { partner, registration, settings } = await findSettings(db, partnerCode)
  const find = (status?: 'PENDING') =>
    findApprovals(db, { partnerCode, kind: 'settings', status }, undefined, MAX_APPROVALS)
  // At most one for each setting. Newer ones that have ended must not hide them.
  const pending = await find('PENDING')
  const others = (await find()).filter(({ id }) => !pending.some((each) => each.id === id))
  return {
    partner_code: partner.partner_code,
    name: partner.name,
    purpose: partner.purpose,
    ...settings,
    profile_fields: [...SHARED_FIELDS],
    purposes: registration?.purposes ?? [],
    needs_approval: needsApproval(config, 'settings'),
    approvals: [...pending, ...others].slice(0, MAX_APPROVALS).map(toOwnApproval),
  }
}

/** For the partner, which does not see the administrators. */
export function toOwnApproval(row: ApprovalRow): Schemas['SettingsApproval'] {
  if (row.kind !== 'settings') throw new Error(`A partner does not see an approval of the kind ${row.kind}.`)
  const {
    uniqid: _uniqid,
    partner_name: _name,
    requested_by_name: _asker,
    decided_by_name: _decider,
    decided_by,
    ...approval
  } = toApproval(row)
  return {
    ...approval,
    kind: row.kind,
    partner_code: row.partner_code!,
    decided_by: row.status === 'WITHDRAWN' ? decided_by : null,
  }
}
