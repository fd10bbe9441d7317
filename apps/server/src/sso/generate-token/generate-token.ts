import { createHash } from 'node:crypto'
import { fieldFailure } from '../../failure.ts'
import type { Operation } from '../../operation.ts'
import { withCurrentAccess } from '../../partners/access.ts'
import { accessOf } from '../../partners/partner.ts'
import { timedHmac, timedHmacs } from '../../secrets/timed-hmac.ts'
import { EXCHANGE_CODE_PREFIX, isSecret } from '../../secrets/tokens.ts'
import { mintAccessToken, SSO_SCOPE } from '../access-token.ts'
import { redeemExchangeCode } from './generate-token.sql.ts'
import { auditRefusedCode } from './refused-code.sql.ts'

export const generateToken: Operation<'generateToken'> = async ({ db, config, keys }, call) => {
  const { caller, body, requestId } = call
  const invalid = () => fieldFailure('exchange_code_invalid', 'exchange_code')
  if (!isSecret(EXCHANGE_CODE_PREFIX, body.exchange_code)) throw invalid()
  const codeHmacs = timedHmacs(keys, 'exchange_code', body.exchange_code)
  const { jti, accessToken } = mintAccessToken(keys, caller.id)
  const commit = async () => {
    const tokenHmac = timedHmac(keys, 'access_token', jti)
    const { accessTokenTtlSeconds: tokenTtlSeconds } = config
    const challenge = challengeOf(body.code_verifier)
    const redemption = { codeHmacs, challenge, tokenHmac, requestId, tokenTtlSeconds }
    const { is_redeemed } = await withCurrentAccess(call, SSO_SCOPE, async (current) => {
      const redeemed = await redeemExchangeCode(db, { ...accessOf(current), ...redemption })
      return redeemed!
    })
    if (is_redeemed) return
    await auditRefusedCode(db, caller.id, codeHmacs, requestId)
    throw invalid()
  }
  return { status: 200, body: { access_token: accessToken }, commit }
}

/** The challenge of a verifier by the method S256 (RFC 7636, section 4.2). */
const challengeOf = (verifier: string | undefined): string | null =>
  verifier === undefined ? null : createHash('sha256').update(verifier).digest('base64url')
