import operator from '@tiwala/contract/operator.json' with { type: 'json' }
import { importJWK, SignJWT } from 'jose'
import { SANDBOX_ISSUER, SANDBOX_TOKEN_DAYS } from '../authentication/identity-tokens.ts'
import type { Service } from '../operation.ts'

/** The sandbox's administrator may do everything that the document knows. */
const OPERATOR_SCOPES = Object.keys(operator.components.securitySchemes.operatorToken.flows.clientCredentials.scopes).join(' ')

/** Identity tokens of the sandbox's own issuer, long-lived so that they can be pasted. */
export function sandboxTokens({ config, keys }: Service) {
  const jwk = keys.sandboxIssuer()!
  const sign = async (subject: string, audience: string, claims: Record<string, string>, life = `${SANDBOX_TOKEN_DAYS}d`) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: jwk.kid! })
      .setIssuer(SANDBOX_ISSUER)
      .setSubject(subject)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime(life)
      .sign(await importJWK(jwk, 'EdDSA'))
  return {
    citizen: (uniqid: string, life?: string) => sign(uniqid, config.citizenIdentity.audience, {}, life),
    operator: (scope = OPERATOR_SCOPES) => sign('sandbox-operator', config.operatorIdentity.audience, { scope }),
  }
}
