import { importJWK, SignJWT } from 'jose'
import type { KeyRing } from './key-ring.ts'

const ALGORITHM = 'EdDSA'

type Claims = {
  event: string
  subject: string
  requestId: string
  issuer: string
  at: Date
  /** Further claims. */
  content?: Record<string, unknown>
}

/** A receipt signed with the audit key (compact JWS). Anyone with the public key can verify it. */
export async function signReceipt(
  keys: KeyRing,
  { event, subject, requestId, issuer, at, content }: Claims,
): Promise<string> {
  const jwk = keys.auditKey()
  return new SignJWT({ ...content, event })
    .setProtectedHeader({ alg: ALGORITHM, kid: jwk.kid, typ: 'tiwala-receipt+jwt' })
    .setIssuer(issuer)
    .setSubject(subject)
    .setJti(requestId)
    .setIssuedAt(at)
    .sign(await importJWK(jwk, ALGORITHM))
}
