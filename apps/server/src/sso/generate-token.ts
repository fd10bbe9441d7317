import { fieldFailure } from '../http/failure.ts'
import type { Operation } from '../operation.ts'
import { requireScope } from '../partners/authenticate-partner.ts'
import { isSecret } from '../secrets/artefact.ts'
import { mintAccessToken } from './access-token.ts'
import { EXCHANGE_CODE_PREFIX } from './issue-exchange-code.ts'
import { noteRefusedCode, redeemExchangeCode, SSO_SCOPE } from './store.ts'

export const generateToken: Operation<'generateToken'> = async ({ db, config, keys }, { caller, body, requestId }) => {
  if (body.scope !== SSO_SCOPE) throw fieldFailure('scope_invalid', 'scope')
  requireScope(caller, SSO_SCOPE)
  const invalid = () => fieldFailure('exchange_code_invalid', 'exchange_code')
  if (!isSecret(EXCHANGE_CODE_PREFIX, body.exchange_code)) throw invalid()
  const codeMacs = keys.macs('exchange_code', body.exchange_code)
  const { jti, accessToken } = mintAccessToken(keys, caller.id)
  const commit = async () => {
    const tokenMac = keys.mac('access_token', jti)
    const { accessTokenTtlSeconds: tokenTtlSeconds } = config
    if (await redeemExchangeCode(db, { partnerId: caller.id, codeMacs, tokenMac, requestId, tokenTtlSeconds })) return
    await noteRefusedCode(db, caller.id, codeMacs, requestId)
    throw invalid()
  }
  return { status: 200, body: { access_token: accessToken }, commit }
}
