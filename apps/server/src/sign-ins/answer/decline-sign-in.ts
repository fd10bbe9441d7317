import { Failure } from '../../failure.ts'
import type { Operation } from '../../operation.ts'
import { declinePending } from '../sign-in.sql.ts'
import { readOwnSignIn, toSignInRequest } from '../sign-in.ts'

export const declineSignIn: Operation<'declineSignIn'> = async (
  service,
  { caller: { uniqidHmacs }, path: { sign_in_id }, requestId },
) => {
  await declinePending(service.db, uniqidHmacs, sign_in_id, requestId)
  const row = await readOwnSignIn(service, uniqidHmacs, sign_in_id)
  if (row.state !== 'DECLINED') throw new Failure('authorization_not_pending')
  return { status: 200, body: toSignInRequest(service, row) }
}
