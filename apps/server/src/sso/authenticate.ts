import { toSsoProfile } from '../citizens/profile.ts'
import { openCitizen } from '../citizens/sealed.ts'
import { Failure } from '../http/failure.ts'
import type { Operation } from '../operation.ts'
import { requireScope } from '../partners/authenticate-partner.ts'
import { requireUsable } from './prove-token.ts'
import { consumeToken, findToken, SSO_SCOPE } from './store.ts'

export const authenticate: Operation<'authenticate'> = async ({ db, keys }, { caller, requestId }) => {
  requireScope(caller, SSO_SCOPE)
  const commit = async () => {
    if (await consumeToken(db, { tokenMacs: caller.tokenMacs, requestId })) return
    // Something came between: what it was, the token tells now.
    const token = await findToken(db, { macs: caller.tokenMacs })
    requireUsable(token)
    requireScope(token, SSO_SCOPE)
    throw new Failure('unavailable', { retryAfterSeconds: 1 })
  }
  return { status: 200, body: { status: 200, message: 'OK', data: toSsoProfile(openCitizen(keys, caller)) }, commit }
}
