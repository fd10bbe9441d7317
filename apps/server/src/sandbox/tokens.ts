import { importJWK, type JWTPayload, SignJWT } from 'jose'
import {
  ONLY_PARTNER,
  SANDBOX_ISSUER,
  SANDBOX_STAFF_ISSUER,
  SANDBOX_TOKEN_DAYS,
} from '../authentication/identity-tokens.ts'
import { OPERATOR_SCOPES } from '../contract/documents.ts'
import type { Service } from '../operation.ts'

/**
 * Identity tokens of the sandbox's own issuer. They are long-lived, so that people can copy them into their
 * tools.
 */
export function sandboxTokens({ config, keys }: Service) {
  const jwk = keys.sandboxIssuer()!
  const sign = async (
    subject: string,
    audience: string,
    claims: JWTPayload,
    lifetime = `${SANDBOX_TOKEN_DAYS}d`,
    issuer = SANDBOX_ISSUER,
  ) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: jwk.kid! })
      .setIssuer(issuer)
      .setSubject(subject)
      .setAudience(audience)
      // In this order: if a second ends between the two, the token lives shorter, not longer than allowed.
      .setExpirationTime(lifetime)
      .setIssuedAt()
      .sign(await importJWK(jwk, 'EdDSA'))
  return {
    citizen: (uniqid: string, lifetime?: string, claims: JWTPayload = {}) =>
      sign(
        uniqid,
        config.citizenIdentity.audience,
        { auth_time: Math.floor(Date.now() / 1_000), ...claims },
        lifetime,
      ),
    operator: (scope = OPERATOR_SCOPES.join(' '), lifetime?: string, subject = 'sandbox-operator') =>
      sign(subject, config.operatorIdentity.audience, { scope }, lifetime),
    /** Of a person of a partner, by the address. The person is named as at the page of the provider. */
    member: (email: string, lifetime?: string) =>
      sign(
        email,
        config.staffIdentity.audience,
        { email, email_verified: true },
        lifetime,
        SANDBOX_STAFF_ISSUER,
      ),
    /** For the visitor who has this partner: the token is for no other one. */
    operatorOf: (partnerCode: string) =>
      sign(`sandbox ${partnerCode}`, config.operatorIdentity.audience, {
        scope: OPERATOR_SCOPES.join(' '),
        [ONLY_PARTNER]: partnerCode,
      }),
  }
}
