import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Schemas } from '@tiwala/contract'
import type { Statement } from '../checkpoints/checkpoint.ts'
import { toLeaf, compareRows } from '../leaf.ts'
import { rootOf, hashLeaf } from '../merkle.ts'
import type { LeafRow } from './verify-audit.sql.ts'

export type Finding = Omit<Schemas['AuditFault'], 'checkpoint'>

/** Leaves that are hashed before other requests get their turn. */
const LEAVES_PER_TURN = 250

/** Longer than any transaction of the service lasts, and than the clocks of its processes differ. */
export const TOLERANCE_MS = 3_600_000

/** `newest_before`: the latest event time under all earlier checkpoints. */
type CheckpointFacts = Pick<Statement, 'first_position' | 'last_position' | 'root' | 'sealed_at'> & {
  newest_before: string | null
  salt: string
}

/** The first fault: a leaf, or the event of a leaf, that differs from what was sealed. */
export async function checkLeaves(
  leaves: LeafRow[],
  checkpoint: CheckpointFacts,
): Promise<Finding | undefined> {
  const { first_position, last_position, root, salt } = checkpoint
  const count = last_position - first_position + 1
  const unaltered = await findUnaltered(leaves, salt)
  const misplaced = findMisplaced(leaves.filter((leaf) => unaltered.has(leaf)))
  for (let position = 0; position < Math.max(count, leaves.length); position++) {
    const leaf = leaves[position]
    const fault = (what: Finding['what']) => ({ position, event: leaf?.event_id ?? null, what })
    if (leaf?.position !== position) return { position, event: null, what: 'leaf_missing' }
    if (position >= count) return fault('leaf_added')
    if (!leaf.event) return fault('event_missing')
    if (!unaltered.has(leaf)) return fault('event_altered')
    if (leaf === misplaced) return fault('order_altered')
    if (isMisdated(leaf.event.occurred_at, checkpoint)) return fault('event_misdated')
  }
  const hashes = leaves.map(({ hash }) => Buffer.from(hash, 'base64url'))
  if (rootOf(hashes).toString('base64url') !== root)
    return { position: null, event: null, what: 'root_altered' }
  return undefined
}

async function findUnaltered(leaves: LeafRow[], salt: string): Promise<Set<LeafRow>> {
  const unaltered = new Set<LeafRow>()
  for (const [index, leaf] of leaves.entries()) {
    if (leaf.event && hashLeaf(toLeaf(leaf.event, salt)).toString('base64url') === leaf.hash)
      unaltered.add(leaf)
    if (index % LEAVES_PER_TURN === 0) await yieldToEventLoop()
  }
  return unaltered
}

/** The first leaf that is not at its place in the order of sealing. */
function findMisplaced(leaves: LeafRow[]): LeafRow | undefined {
  const inOrder = leaves.toSorted((a, b) => compareRows(a.event!, b.event!))
  return leaves.find((leaf, index) => leaf !== inOrder[index])
}

function isMisdated(occurredAt: string, { sealed_at, newest_before }: CheckpointFacts): boolean {
  const [atMs, latestMs] = [Date.parse(occurredAt), Date.parse(sealed_at) + TOLERANCE_MS]
  if (atMs > latestMs) return true
  // An earlier event that is misdated itself says nothing about this one.
  const newestMs = newest_before === null ? -Infinity : Date.parse(newest_before)
  return newestMs <= latestMs && atMs < newestMs - TOLERANCE_MS
}
