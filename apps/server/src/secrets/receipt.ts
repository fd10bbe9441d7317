import { importJWK, SignJWT } from 'jose'
import type { KeyRing } from './key-ring.ts'

export const RECEIPT_ALGORITHM = 'EdDSA'
export const RECEIPT_TYPE = 'tiwala-receipt+jwt'

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
    .setProtectedHeader({ alg: RECEIPT_ALGORITHM, kid: jwk.kid, typ: RECEIPT_TYPE })
    .setIssuer(issuer)
    .setSubject(subject)
    .setJti(requestId)
    .setIssuedAt(at)
    .sign(await importJWK(jwk, RECEIPT_ALGORITHM))
}
