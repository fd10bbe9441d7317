import type { Database } from '../../database/connect.ts'
import type { ArchivedEntry } from '../archive/archive-files.ts'
import type { Archive } from '../archive/archive.sql.ts'
import { idAfter } from '../audit-partitions.sql.ts'
import { MAX_LEAVES } from '../checkpoints/checkpoint.ts'
import { toLeaf } from '../leaf.ts'
import { hashLeaf } from '../merkle.ts'
import type { Finding } from './check-leaves.ts'
import { findLeaves, type SaltedCheckpoint } from './verify-audit.sql.ts'

/**
 * The last checkpoints of an archived month also seal the first events of the next one, which stay in the database. The first of
 * them that differs from the archive. `entries`: the checkpoint with all its events.
 */
export async function checkRemaining(
  db: Database,
  entries: ArchivedEntry[],
  { number, salt }: SaltedCheckpoint,
  archives: Archive[],
): Promise<Finding | undefined> {
  const endedBelow = Math.max(...archives.map(({ name }) => idAfter(name)))
  const archived = entries.flatMap((entry) => ('event' in entry ? [entry.event] : []))
  const leaves = new Map(
    (await findLeaves(db, number, MAX_LEAVES + 1)).map((leaf) => [leaf.position, leaf] as const),
  )
  for (const { id, seal } of archived) {
    const leaf = leaves.get(seal!.position)
    const fault = (what: Finding['what']) => ({ position: seal!.position, event: id, what })
    leaves.delete(seal!.position)
    if (!leaf && id >= endedBelow) return fault('leaf_missing')
    if (!leaf) continue
    if (!leaf.event) return fault('event_missing')
    const hashes = [seal!.leaf, toLeaf(leaf.event, salt)].map((text) => hashLeaf(text).toString('base64url'))
    if (hashes.some((hash) => hash !== leaf.hash)) return fault('event_altered')
  }
  const [added] = leaves.values()
  return added && { position: added.position, event: added.event_id, what: 'leaf_added' }
}
