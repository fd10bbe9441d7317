import type { Schemas } from '@tiwala/contract'
import { parseJson } from './audit-entries.ts'
import { merkleRoot } from './merkle-tree.ts'
import type { ReportFault } from './verify-entries.ts'

type Event = Schemas['AuditEvent']
type Tree = { root: string; size: number; leaves: Map<number, string> }

/** Collects the leaves of each checkpoint until they are all there, and computes its root again. Holds no more than what is not complete. */
export function createTreeVerifier(reportFault: ReportFault) {
  const trees = new Map<number, Tree>()
  let newest = 0
  return {
    expect({ checkpoint, first_position, last_position, root }: Schemas['AuditCheckpoint']): void {
      newest = Math.max(newest, checkpoint)
      trees.set(checkpoint, { root, size: last_position - first_position + 1, leaves: new Map() })
    },
    /** `false`: not sealed when the checkpoints were read. */
    add(event: Event): boolean {
      const { seal } = event
      if (!seal || seal.checkpoint > newest) return false
      if (!isAsSealed(event, seal.leaf)) reportFault(seal.checkpoint, 'event_altered', event)
      const tree = trees.get(seal.checkpoint)
      if (!tree || seal.position >= tree.size || tree.leaves.has(seal.position)) reportFault(seal.checkpoint, 'leaf_added', event)
      else if (tree.leaves.set(seal.position, seal.leaf).size === tree.size) {
        const inOrder = Array.from({ length: tree.size }, (_, position) => tree.leaves.get(position)!)
        if (merkleRoot(inOrder) !== tree.root) reportFault(seal.checkpoint, 'root_altered')
        // Whatever else comes for it is one too many.
        trees.set(seal.checkpoint, { ...tree, size: 0, leaves: new Map() })
      }
      return true
    },
    end(): void {
      for (const [checkpoint, { leaves, size }] of trees) if (leaves.size < size) reportFault(checkpoint, 'leaf_missing')
    },
  }
}

/** Whether the event is shown as its leaf says; the leaf's time is the more exact. */
function isAsSealed({ occurred_at, ...shown }: Event, leaf: string): boolean {
  const { occurred_at: sealedAt, ...sealed } = (parseJson(leaf) ?? {}) as Record<string, string | null>
  const names = ['kind', 'partner_code', 'tracking_no', 'request_id', 'actor', 'detail'] as const
  return names.every((name) => shown[name] === sealed[name]) && Date.parse(occurred_at) === Date.parse(sealedAt ?? '')
}
