import { fieldFailure } from '../http/failure.ts'
import type { Operation } from '../operation.ts'
import { requireScope } from '../partners/authenticate-partner.ts'
import { accessOf } from '../partners/store.ts'
import { withCurrentAccess } from '../partners/with-current-access.ts'
import { isSecret } from '../secrets/artefact.ts'
import { mintAccessToken } from './access-token.ts'
import { EXCHANGE_CODE_PREFIX } from './issue-exchange-code.ts'
import { noteRefusedCode, redeemExchangeCode, SSO_SCOPE } from './store.ts'

export const generateToken: Operation<'generateToken'> = async ({ db, config, keys }, call) => {
  const { caller, body, requestId } = call
  if (body.scope !== SSO_SCOPE) throw fieldFailure('scope_invalid', 'scope')
  requireScope(caller, SSO_SCOPE)
  const invalid = () => fieldFailure('exchange_code_invalid', 'exchange_code')
  if (!isSecret(EXCHANGE_CODE_PREFIX, body.exchange_code)) throw invalid()
  const codeMacs = keys.macs('exchange_code', body.exchange_code)
  const { jti, accessToken } = mintAccessToken(keys, caller.id)
  const commit = async () => {
    const tokenMac = keys.mac('access_token', jti)
    const { accessTokenTtlSeconds: tokenTtlSeconds } = config
    const redemption = { codeMacs, tokenMac, requestId, tokenTtlSeconds }
    const { is_redeemed } = await withCurrentAccess(call, SSO_SCOPE, async (current) => {
      const redeemed = await redeemExchangeCode(db, { ...accessOf(current), ...redemption })
      return redeemed!
    })
    if (is_redeemed) return
    await noteRefusedCode(db, caller.id, codeMacs, requestId)
    throw invalid()
  }
  return { status: 200, body: { access_token: accessToken }, commit }
}
