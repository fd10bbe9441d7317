import { Failure } from '../../failure.ts'
import type { Operation, Service } from '../../operation.ts'
import { approvePending, type SignInApproval, type SignInRow } from '../sign-in.sql.ts'
import { readOwnSignIn, signInNotFound, toSignInRequest } from '../sign-in.ts'

export const approveSignIn: Operation<'approveSignIn'> = async (
  service,
  { caller: { uniqidHmacs, assurance }, path: { sign_in_id }, body: { items }, requestId },
) => {
  const row = await approveOwnSignIn(service, uniqidHmacs, sign_in_id, { items, assurance, requestId })
  return { status: 200, body: toSignInRequest(service, row) }
}

/** A second approval of an approved request changes nothing and is no error. */
export async function approveOwnSignIn(
  service: Service,
  uniqidHmacs: string[],
  id: string,
  approved: Omit<SignInApproval, 'levels'>,
): Promise<SignInRow> {
  const { db, config } = service
  const judgment = await approvePending(db, uniqidHmacs, id, { ...approved, levels: config.acrValues })
  if (!judgment) throw signInNotFound()
  const row = await readOwnSignIn(service, uniqidHmacs, id)
  if (row.state === 'PENDING') {
    if (!judgment.is_agreed)
      throw new Failure('validation_failed', {
        errors: { items: ['must be all required items, and none that the request does not have'] },
      })
    if (!judgment.is_permitted) throw new Failure('refused_by_preferences')
    if (!judgment.is_assured) throw new Failure('assurance_too_low')
  }
  if (row.state !== 'APPROVED') throw new Failure('authorization_not_pending')
  return row
}
