import type { Schemas } from '@tiwala/contract'
import type { Service } from '../../operation.ts'
import { archiveOf, findArchives } from '../archive/archive.sql.ts'
import { proveArchived } from '../archive/read-archive.ts'
import { findSigner, toAuditKey, toCheckpoint } from '../checkpoints/checkpoint.ts'
import { toLeaf } from '../leaf.ts'
import { pathTo } from '../merkle.ts'
import { findSealedEvent } from './prove-event.sql.ts'

type Proof = Omit<Schemas['DisclosureProof'], 'disclosure_id'>

/** Everything needed to check that an event is part of the audit. `undefined`: not sealed yet. */
export async function proveEvent(service: Service, id: number): Promise<Proof | undefined> {
  const { db, keys } = service
  const found = await findSealedEvent(db, id)
  if (!found) return undefined
  const { checkpoint, position, salt, hashes, body, signature, ...event } = found
  // The checkpoint at the turn of a month has leaves of the month before, which are in the archive with it.
  const archive = archiveOf(await findArchives(db), checkpoint)
  if (archive) return proveArchived(service, archive, { checkpoint, position })
  const signer = findSigner(keys, { body, signature })
  if (!signer) throw new Error('The key ring lacks the key that signed this checkpoint of the audit.')
  const leaves = hashes.map((hash) => Buffer.from(hash, 'base64url'))
  const path = await pathTo(leaves, position)
  return {
    leaf: toLeaf(event, salt),
    position,
    path: path.map((hash) => hash.toString('base64url')),
    checkpoint: toCheckpoint({ body, signature }),
    key: toAuditKey(signer),
  }
}
