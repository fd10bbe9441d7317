import { decryptCitizen } from '../../citizens/citizen-encryption.ts'
import { toSsoProfile } from '../../citizens/profile.ts'
import { Failure } from '../../failure.ts'
import type { Operation } from '../../operation.ts'
import { requireScope } from '../../partners/access.ts'
import { SSO_SCOPE } from '../access-token.ts'
import { type AuthenticatedToken, consumeToken, type TokenCitizen } from './authenticate.sql.ts'

export const authenticate: Operation<'authenticate', AuthenticatedToken, TokenCitizen> = async (
  { db, keys },
  { caller, loaded, reauthenticate, requestId, traceparent },
) => {
  const commit = async () => {
    const consume = ({ tokenHmacs, access_version }: typeof caller) =>
      consumeToken(db, { tokenHmacs, accessVersion: access_version, requestId, traceparent })
    if (await consume(caller)) return
    // The token or its partner has changed since it was read. `reauthenticate` refuses the token, or allows
    // one more attempt.
    const current = await reauthenticate()
    requireScope(current, SSO_SCOPE)
    if (!(await consume(current))) throw new Failure('unavailable', { retryAfterSeconds: 1 })
  }
  return {
    status: 200,
    body: { status: 200, message: 'OK', data: toSsoProfile(decryptCitizen(keys, loaded)) },
    commit,
  }
}
