import { sign, createPrivateKey, hash, verify, createPublicKey } from 'node:crypto'
import type { Schemas } from '@tiwala/contract'
import type { KeyRing, RingKey } from '../../secrets/key-ring.ts'

/** The content of a checkpoint. */
export type Statement = Omit<Schemas['AuditCheckpoint'], 'signed' | 'signature'>

/** A checkpoint as stored. `body` is the exact text that was signed, so that it never has to be rebuilt. */
export type SignedCheckpoint = { body: string; signature: string }

/** The most leaves under one checkpoint. */
export const MAX_LEAVES = 10_000

/** Signs canonical JSON (RFC 8785) with the current audit key. */
export function signCheckpoint(keys: KeyRing, unsigned: Omit<Statement, 'kid'>): SignedCheckpoint {
  const key = keys.auditKey()
  const statement: Statement = { ...unsigned, kid: key.kid }
  const body = JSON.stringify(
    Object.fromEntries(Object.entries(statement).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  )
  const signature = sign(null, Buffer.from(body), createPrivateKey({ key, format: 'jwk' })).toString(
    'base64url',
  )
  return { body, signature }
}

/** The hash by which the next checkpoint refers to this one. */
export const hashCheckpoint = ({ body }: SignedCheckpoint): string => hash('sha256', body, 'base64url')

/** Throws if the text is not JSON. Check the signature first: a signed text is always JSON. */
export const readStatement = ({ body }: SignedCheckpoint): Statement => JSON.parse(body) as Statement

/**
 * `undefined`: the key ring lacks the key. The text may have been altered, so it is not parsed as JSON here.
 */
export function findSigner(keys: KeyRing, { body }: SignedCheckpoint): RingKey | undefined {
  const [, kid] = /"kid":"([\w-]{1,64})"/.exec(body) ?? []
  return keys.auditKeys().find((key) => key.kid === kid)
}

export function isSignedBy(signer: RingKey, { body, signature }: SignedCheckpoint): boolean {
  const bytes = Buffer.from(signature, 'base64url')
  // Several texts decode to the same bytes. Only one spelling of a signature is accepted.
  if (bytes.toString('base64url') !== signature) return false
  return verify(null, Buffer.from(body), createPublicKey({ key: toAuditKey(signer), format: 'jwk' }), bytes)
}

export const toCheckpoint = (signed: SignedCheckpoint): Schemas['AuditCheckpoint'] => ({
  ...readStatement(signed),
  signed: signed.body,
  signature: signed.signature,
})

/** The public key of the pair. */
export const toAuditKey = ({ kid, x }: RingKey): Schemas['AuditKey'] => ({
  kty: 'OKP',
  crv: 'Ed25519',
  alg: 'EdDSA',
  use: 'sig',
  kid,
  x: x!,
})
