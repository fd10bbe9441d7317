// Verifies that the events are exactly the leaves of the sealed Merkle trees.
//
// A checkpoint announces a tree: its root and its number of leaves. Each sealed event carries its checkpoint,
// its position in the tree, and its leaf. A tree is incomplete until all its leaves have arrived. Then its
// root is computed and compared, and its leaves are released from memory.
//
// Example: checkpoint 2 announces 3 leaves. After the events at the positions 0, 1 and 2, in any order, the
// root is compared. A fourth event for checkpoint 2 is reported as `leaf_added`.
//
// Faults: `event_altered`, `leaf_added`, `leaf_missing`, `root_altered`. Only incomplete trees stay in
// memory.
import type { Schemas } from '@tiwala/contract'
import { parseJson, type ReportFault } from './audit-entries.ts'
import { merkleRoot } from './merkle-tree.ts'

type Event = Schemas['AuditEvent']
type Tree = { root: string; size: number; leaves: Map<number, string> }

export function createTreeVerifier(reportFault: ReportFault) {
  const trees = new Map<number, Tree>()
  let newestCheckpoint = 0
  return {
    expect({ checkpoint, first_position, last_position, root }: Schemas['AuditCheckpoint']): void {
      newestCheckpoint = Math.max(newestCheckpoint, checkpoint)
      trees.set(checkpoint, { root, size: last_position - first_position + 1, leaves: new Map() })
    },
    /** Returns `false` if the event was not sealed yet when the checkpoints were read. */
    add(event: Event): boolean {
      const { seal } = event
      if (!seal || seal.checkpoint > newestCheckpoint) return false
      if (!isEqualToLeaf(event, seal.leaf)) reportFault(seal.checkpoint, 'event_altered', event)
      const tree = trees.get(seal.checkpoint)
      if (!tree || seal.position >= tree.size || tree.leaves.has(seal.position))
        reportFault(seal.checkpoint, 'leaf_added', event)
      else if (tree.leaves.set(seal.position, seal.leaf).size === tree.size) {
        const leaves = Array.from({ length: tree.size }, (_, position) => tree.leaves.get(position)!)
        if (merkleRoot(leaves) !== tree.root) reportFault(seal.checkpoint, 'root_altered')
        // A size of 0 makes every further event of this checkpoint a `leaf_added`.
        trees.set(seal.checkpoint, { ...tree, size: 0, leaves: new Map() })
      }
      return true
    },
    end(): void {
      for (const [checkpoint, { leaves, size }] of trees)
        if (leaves.size < size) reportFault(checkpoint, 'leaf_missing')
    },
  }
}

/** Whether the event has the same content as its leaf. The time in the leaf is more precise. */
function isEqualToLeaf({ occurred_at, ...fields }: Event, leaf: string): boolean {
  const { occurred_at: sealedAt, ...sealed } = (parseJson(leaf) ?? {}) as Record<string, string | null>
  const names = ['kind', 'partner_code', 'tracking_no', 'request_id', 'actor', 'detail', 'reason'] as const
  return (
    // A leaf without a reason has no field for it, nor have events of older exports.
    names.every((name) => (fields[name] ?? null) === (sealed[name] ?? null)) &&
    Date.parse(occurred_at) === Date.parse(sealedAt ?? '')
  )
}
