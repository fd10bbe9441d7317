import { Failure } from '../../failure.ts'
import type { Operation, Service } from '../../operation.ts'
import { declinePending, type SignInRow } from '../sign-in.sql.ts'
import { readOwnSignIn, toSignInRequest } from '../sign-in.ts'

export const declineSignIn: Operation<'declineSignIn'> = async (
  service,
  { caller: { uniqidHmacs }, path: { sign_in_id }, requestId },
) => {
  const row = await declineOwnSignIn(service, uniqidHmacs, sign_in_id, requestId)
  return { status: 200, body: toSignInRequest(service, row) }
}

/** A second refusal of a declined request changes nothing and is no error. */
export async function declineOwnSignIn(
  service: Service,
  uniqidHmacs: string[],
  id: string,
  requestId: string,
): Promise<SignInRow> {
  await declinePending(service.db, uniqidHmacs, id, requestId)
  const row = await readOwnSignIn(service, uniqidHmacs, id)
  if (row.state !== 'DECLINED') throw new Failure('authorization_not_pending')
  return row
}
