import type { Operation } from '../operation.ts'
import { deleteOperatorSession } from './session.sql.ts'

export const endOwnSession: Operation<'endOwnSession'> = async ({ db }, { caller, requestId }) => {
  const { subject: actor, session } = caller
  if (session) await deleteOperatorSession(db, session.hmac, { actor, requestId })
  return { status: 200, body: { ended: session !== null } }
}
