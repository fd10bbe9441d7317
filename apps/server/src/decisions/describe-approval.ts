import type { Schemas } from '@tiwala/contract'
import { type ApprovalRow, toApproval } from '../approvals/approval.ts'
import { dataKeyOf, decryptUniqid } from '../citizens/citizen-encryption.ts'
import type { Service } from '../operation.ts'

/** An approval for an administrator. Only one who may erase citizens reads which citizen, and only while it waits. */
export function describeApproval(
  { keys }: Service,
  { scopes }: { scopes: string[] },
  row: ApprovalRow,
): Schemas['Approval'] {
  const { subject = '', data_key = null, uniqid = null } = row.citizen ?? {}
  if (row.status !== 'PENDING' || data_key === null || uniqid === null || !scopes.includes('citizens:erase'))
    return toApproval(row)
  return toApproval(row, decryptUniqid(dataKeyOf(keys, { subject, data_key }), subject, uniqid))
}
