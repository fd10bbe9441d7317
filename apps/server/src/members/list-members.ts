import type { Operation } from '../operation.ts'
import { findMembers } from './member.sql.ts'
import { toMember } from './member.ts'

export const listMembers: Operation<'listMembers'> = async ({ db }, { caller }) => {
  const rows = await findMembers(db, caller.partnerId, { isComplete: false })
  return { status: 200, body: { members: rows.map(toMember) } }
}
