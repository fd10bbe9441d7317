import { unknownPartner } from '../../failure.ts'
import type { Operation } from '../../operation.ts'
import { putRegistration } from './registration.sql.ts'
import { requireUsable } from './registration.ts'

export const setSignInRegistration: Operation<'setSignInRegistration'> = async (
  { db, config },
  { caller, path, query, body, requestId },
) => {
  requireUsable(body, config)
  const action = {
    kind: 'partner.changed',
    actor: caller.subject,
    requestId,
    detail: 'sign_in',
    ...query,
  }
  if (!(await putRegistration(db, path.partner_code, body, action))) throw unknownPartner()
  return { status: 200, body }
}
