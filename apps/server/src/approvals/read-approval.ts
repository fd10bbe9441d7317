import type { Operation } from '../operation.ts'
import { findApproval } from './approval.sql.ts'
import { toApproval, unknownApproval } from './approval.ts'

export const readApproval: Operation<'readApproval'> = async ({ db }, { path }) => {
  const row = await findApproval(db, path.approval_id)
  if (!row) throw unknownApproval()
  return { status: 200, body: toApproval(row) }
}
