import { importJWK, SignJWT } from 'jose'
import type { KeyRing } from './key-ring.ts'

const ALGORITHM = 'EdDSA'

type Claims = { event: string; subject: string; requestId: string; issuer: string; at: Date }

/** A statement of ours that anybody can check (compact JWS), by the audit key. */
export async function signReceipt(keys: KeyRing, { event, subject, requestId, issuer, at }: Claims): Promise<string> {
  const jwk = keys.auditKey()
  return new SignJWT({ event })
    .setProtectedHeader({ alg: ALGORITHM, kid: jwk.kid, typ: 'tiwala-receipt+jwt' })
    .setIssuer(issuer)
    .setSubject(subject)
    .setJti(requestId)
    .setIssuedAt(at)
    .sign(await importJWK(jwk, ALGORITHM))
}
