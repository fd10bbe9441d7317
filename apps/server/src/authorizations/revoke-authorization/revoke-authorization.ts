import { Failure } from '../../failure.ts'
import type { Operation } from '../../operation.ts'
import { findConsent } from '../consent.sql.ts'
import { toConsentRequest } from '../consent.ts'
import { revokeConsent } from './revoke-authorization.sql.ts'

export const revokeAuthorization: Operation<'revokeAuthorization'> = async (
  { db },
  { caller, path, requestId, traceparent },
) => {
  await revokeConsent(db, caller.uniqidHmacs, path.tracking_no, { requestId, traceparent })
  const row = await findConsent(db, caller.uniqidHmacs, path.tracking_no)
  if (!row) throw new Failure('tracking_no_not_found')
  if (row.state !== 'REVOKED') throw new Failure('authorization_not_pending')
  return { status: 200, body: toConsentRequest(row) }
}
