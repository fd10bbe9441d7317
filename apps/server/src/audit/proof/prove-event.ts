import type { Schemas } from '@tiwala/contract'
import type { Service } from '../../operation.ts'
import { findSigner, toAuditKey, toCheckpoint } from '../checkpoints/checkpoint.ts'
import { toLeaf } from '../leaf.ts'
import { pathTo } from '../merkle.ts'
import { findSealedEvent } from './prove-event.sql.ts'

type Proof = Omit<Schemas['DisclosureProof'], 'disclosure_id'>

/** Everything needed to check that an event is part of the audit. `undefined`: not sealed yet. */
export async function proveEvent({ db, keys }: Service, id: number): Promise<Proof | undefined> {
  const found = await findSealedEvent(db, id)
  if (!found) return undefined
  const { position, salt, hashes, body, signature, ...event } = found
  const signer = findSigner(keys, { body, signature })
  if (!signer) throw new Error('The key ring lacks the key that signed this checkpoint of the audit.')
  const leaves = hashes.map((hash) => Buffer.from(hash, 'base64url'))
  return {
    leaf: toLeaf(event, salt),
    position,
    path: pathTo(leaves, position).map((hash) => hash.toString('base64url')),
    checkpoint: toCheckpoint({ body, signature }),
    key: toAuditKey(signer),
  }
}
