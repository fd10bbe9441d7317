import { createLocalJWKSet, createRemoteJWKSet, errors, type JWTPayload, jwtVerify, type JWTVerifyGetKey } from 'jose'
import type { Config } from '../config.ts'
import type { KeyRing } from '../secrets/key-ring.ts'
import { Failure } from './failure.ts'

export const SANDBOX_ISSUER = 'https://sandbox-identity.tiwala.invalid'
const ALGORITHMS = ['EdDSA', 'ES256', 'PS256', 'RS256']

export type VerifyIdentity = (authorization: string | undefined) => Promise<JWTPayload>

/** Checks tokens of an identity provider (OIDC); in the sandbox, unless one is configured, of the sandbox's own. */
export function createVerifyIdentity({ issuer, audience, jwksUrl }: Config['citizenIdentity'], keys: KeyRing): VerifyIdentity {
  const keySet = jwksUrl ? createRemoteJWKSet(new URL(jwksUrl)) : sandboxKeySet(keys)
  const options = { issuer: issuer ?? SANDBOX_ISSUER, audience, algorithms: ALGORITHMS, requiredClaims: ['sub', 'exp'] }
  return async (authorization) => {
    const token = readBearer(authorization)
    try {
      return (await jwtVerify(token, keySet, options)).payload
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw new Failure('token_expired', { cause: error })
      if (cannotTell(error)) throw new Failure('unavailable', { retryAfterSeconds: 5, cause: error })
      throw new Failure('token_invalid', { cause: error })
    }
  }
}

/** The provider's keys could not be fetched: that says nothing of the token. */
const cannotTell = (error: unknown) =>
  !(error instanceof errors.JOSEError) || error instanceof errors.JWKSTimeout || error.code === 'ERR_JOSE_GENERIC'

/** RFC 6750 section 2.1, read strictly: the validator lets `Basic bearer` pass. */
export function readBearer(authorization: string | undefined): string {
  if (!authorization) throw new Failure('token_missing')
  const [, token] = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization) ?? []
  if (!token) throw new Failure('token_invalid')
  return token
}

function sandboxKeySet(keys: KeyRing): JWTVerifyGetKey {
  const sandboxIssuer = keys.sandboxIssuer()
  if (!sandboxIssuer) throw new Error('An identity provider is needed: its issuer and the URL of its keys.')
  const { d: _private, ...publicKey } = sandboxIssuer
  return createLocalJWKSet({ keys: [publicKey] })
}
