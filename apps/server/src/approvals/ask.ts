import { Failure } from '../failure.ts'
import type { Service } from '../operation.ts'
import { mintApprovalId } from '../secrets/tokens.ts'
import { findApproval, findSameApproval, insertApproval, type NewApproval } from './approval.sql.ts'
import type { ApprovalRow } from './approval.ts'

export type Asking = { actor: string; requestId: string; reason?: string | undefined }

/**
 * Has an act of an administrator wait for a second person. If the same act waits already, that one is returned, so a
 * request can be sent again. The caller has locked the partner or the citizen.
 */
export async function ask(
  { db, config }: Pick<Service, 'db' | 'config'>,
  act: Omit<NewApproval, 'approvalId' | 'days'>,
  by: Asking,
  approvalId = mintApprovalId(),
): Promise<ApprovalRow> {
  requireReason(by.reason)
  const same = await findSameApproval(db, act)
  if (same) return same
  await insertApproval(db, { ...act, approvalId, days: config.approvals.days }, by)
  return (await findApproval(db, approvalId))!
}

/** The second person decides by it. */
export function requireReason(reason: string | undefined): void {
  if (reason === undefined)
    throw new Failure('validation_failed', {
      errors: { reason: ['is required, since this waits for a second person'] },
    })
}
