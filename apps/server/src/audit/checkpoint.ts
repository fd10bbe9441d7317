import { createPrivateKey, createPublicKey, hash, sign, verify } from 'node:crypto'
import type { Schemas } from '@tiwala/contract'
import type { KeyRing, RingKey } from '../secrets/key-ring.ts'

/** What a checkpoint says, and what is stored of it: the text itself is signed, so that nothing has to be put together again. */
export type Statement = Omit<Schemas['AuditCheckpoint'], 'signed' | 'signature'>
export type SignedCheckpoint = { body: string; signature: string }

/** Under one checkpoint. */
export const MOST_LEAVES = 10_000

/** JSON in the form of RFC 8785, signed by the current key. */
export function signCheckpoint(keys: KeyRing, unsigned: Omit<Statement, 'kid'>): SignedCheckpoint {
  const key = keys.auditKey()
  const statement: Statement = { ...unsigned, kid: key.kid }
  const body = JSON.stringify(Object.fromEntries(Object.entries(statement).toSorted(([a], [b]) => (a < b ? -1 : 1))))
  const signature = sign(null, Buffer.from(body), createPrivateKey({ key, format: 'jwk' })).toString('base64url')
  return { body, signature }
}

/** What the next checkpoint names it by. */
export const hashCheckpoint = ({ body }: SignedCheckpoint): string => hash('sha256', body, 'base64url')

/** Throws where it was altered; once its signature is good, it was not. */
export const readStatement = ({ body }: SignedCheckpoint): Statement => JSON.parse(body) as Statement

/** `undefined`: the key ring lacks the key. Does not trust the text to be ours. */
export function findSigner(keys: KeyRing, { body }: SignedCheckpoint): RingKey | undefined {
  const [, kid] = /"kid":"([\w-]{1,64})"/.exec(body) ?? []
  return keys.auditKeys().find((key) => key.kid === kid)
}

export function isSignedBy(signer: RingKey, { body, signature }: SignedCheckpoint): boolean {
  const bytes = Buffer.from(signature, 'base64url')
  // Other texts, too, decode to the same bytes.
  if (bytes.toString('base64url') !== signature) return false
  return verify(null, Buffer.from(body), createPublicKey({ key: toAuditKey(signer), format: 'jwk' }), bytes)
}

export const toCheckpoint = (signed: SignedCheckpoint): Schemas['AuditCheckpoint'] => ({
  ...readStatement(signed),
  signed: signed.body,
  signature: signed.signature,
})

/** The public half. */
export const toAuditKey = ({ kid, x }: RingKey): Schemas['AuditKey'] => ({
  kty: 'OKP',
  crv: 'Ed25519',
  alg: 'EdDSA',
  use: 'sig',
  kid,
  x: x!,
})
