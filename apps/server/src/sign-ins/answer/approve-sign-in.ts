import { Failure } from '../../failure.ts'
import type { Operation } from '../../operation.ts'
import { approvePending } from '../sign-in.sql.ts'
import { readOwnSignIn, signInNotFound, toSignInRequest } from '../sign-in.ts'

export const approveSignIn: Operation<'approveSignIn'> = async (
  service,
  { caller: { uniqidHmacs, assurance }, path: { sign_in_id }, body: { items }, requestId },
) => {
  const { db, config } = service
  const approved = { items, assurance, levels: config.acrValues, requestId }
  const judgment = await approvePending(db, uniqidHmacs, sign_in_id, approved)
  if (!judgment) throw signInNotFound()
  const row = await readOwnSignIn(service, uniqidHmacs, sign_in_id)
  if (row.state === 'PENDING') {
    if (!judgment.is_agreed)
      throw new Failure('validation_failed', {
        errors: { items: ['must be all required items, and none that the request does not have'] },
      })
    if (!judgment.is_permitted) throw new Failure('refused_by_preferences')
    if (!judgment.is_assured) throw new Failure('assurance_too_low')
  }
  if (row.state !== 'APPROVED') throw new Failure('authorization_not_pending')
  return { status: 200, body: toSignInRequest(service, row) }
}
