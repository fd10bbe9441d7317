import { toSsoProfile } from '../citizens/profile.ts'
import { openCitizen } from '../citizens/sealed.ts'
import { Failure } from '../http/failure.ts'
import type { Operation } from '../operation.ts'
import { requireScope } from '../partners/authenticate-partner.ts'
import { consumeToken, SSO_SCOPE } from './store.ts'

export const authenticate: Operation<'authenticate'> = async ({ db, keys }, { caller, reauthenticate, requestId }) => {
  requireScope(caller, SSO_SCOPE)
  const commit = async () => {
    const consume = ({ tokenMacs, access_version }: typeof caller) =>
      consumeToken(db, { tokenMacs, accessVersion: access_version, requestId })
    if (await consume(caller)) return
    // The token or its partner has changed since it was read: reading it again refuses it, or allows one more attempt.
    const current = await reauthenticate()
    requireScope(current, SSO_SCOPE)
    if (!(await consume(current))) throw new Failure('unavailable', { retryAfterSeconds: 1 })
  }
  return { status: 200, body: { status: 200, message: 'OK', data: toSsoProfile(openCitizen(keys, caller)) }, commit }
}
