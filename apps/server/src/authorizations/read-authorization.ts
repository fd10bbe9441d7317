import { Failure } from '../failure.ts'
import type { Operation } from '../operation.ts'
import { findConsent } from './consent.sql.ts'
import { toConsentRequest } from './consent.ts'

export const readAuthorization: Operation<'readAuthorization'> = async ({ db }, { caller, path }) => {
  const row = await findConsent(db, caller.uniqidHmacs, path.tracking_no)
  if (!row) throw new Failure('tracking_no_not_found')
  return { status: 200, body: toConsentRequest(row) }
}
