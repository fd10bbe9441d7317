import type { Operation } from '../operation.ts'
import { deleteSession } from './session.sql.ts'

export const signOut: Operation<'signOut'> = async ({ db }, { caller, requestId }) => {
  const endedAt = await deleteSession(db, caller, requestId)
  return { status: 200, body: { ended_at: endedAt.toISOString() } }
}
