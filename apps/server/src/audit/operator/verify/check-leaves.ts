import { setImmediate as letOthersRun } from 'node:timers/promises'
import type { Schemas } from '@tiwala/contract'
import type { Statement } from '../../checkpoint.ts'
import { compareRows, toLeaf } from '../../leaf.ts'
import { hashLeaf, rootOf } from '../../merkle.ts'
import type { LeafRow } from './store.ts'

export type Finding = Omit<Schemas['AuditFault'], 'checkpoint'>

const AT_ONCE = 250
/** No transaction of ours lasts as long, and no two clocks of ours are as far apart. */
const TOLERANCE_MS = 3_600_000

type Sealed = Pick<Statement, 'first_position' | 'last_position' | 'root' | 'sealed_at'> & { newest_before: string | null; salt: string }

/** The first leaf that is not what was sealed, or whose event is not. */
export async function checkLeaves(leaves: LeafRow[], sealed: Sealed): Promise<Finding | undefined> {
  const { first_position, last_position, root, salt } = sealed
  const count = last_position - first_position + 1
  const unaltered = await findUnaltered(leaves, salt)
  const misplaced = findMisplaced(leaves.filter((leaf) => unaltered.has(leaf)))
  for (let position = 0; position < Math.max(count, leaves.length); position++) {
    const leaf = leaves[position]
    const at = (what: Finding['what']) => ({ position, event: leaf?.event_id ?? null, what })
    if (leaf?.position !== position) return { position, event: null, what: 'leaf_missing' }
    if (position >= count) return at('leaf_added')
    if (!leaf.event) return at('event_missing')
    if (!unaltered.has(leaf)) return at('event_altered')
    if (leaf === misplaced) return at('order_altered')
    if (isMisdated(leaf.event.occurred_at, sealed)) return at('event_misdated')
  }
  const hashes = leaves.map(({ hash }) => Buffer.from(hash, 'base64url'))
  if (rootOf(hashes).toString('base64url') !== root) return { position: null, event: null, what: 'root_altered' }
  return undefined
}

async function findUnaltered(leaves: LeafRow[], salt: string): Promise<Set<LeafRow>> {
  const unaltered = new Set<LeafRow>()
  for (const [index, leaf] of leaves.entries()) {
    if (leaf.event && hashLeaf(toLeaf(leaf.event, salt)).toString('base64url') === leaf.hash) unaltered.add(leaf)
    if (index % AT_ONCE === 0) await letOthersRun()
  }
  return unaltered
}

/** The first that stands where another one should. */
function findMisplaced(leaves: LeafRow[]): LeafRow | undefined {
  const inOrder = leaves.toSorted((a, b) => compareRows(a.event!, b.event!))
  return leaves.find((leaf, index) => leaf !== inOrder[index])
}

function isMisdated(occurredAt: string, { sealed_at, newest_before }: Sealed): boolean {
  const atMs = Date.parse(occurredAt)
  return atMs > Date.parse(sealed_at) + TOLERANCE_MS || (newest_before !== null && atMs < Date.parse(newest_before) - TOLERANCE_MS)
}
