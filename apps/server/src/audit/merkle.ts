// The Merkle tree of RFC 6962, section 2.1, over SHA-256.
//
// A leaf's hash is SHA-256(0x00 | text), a node's hash is SHA-256(0x01 | left | right). The two prefixes keep
// a node from passing as a leaf. Each level pairs its hashes from the left; a last hash without a neighbor
// moves up unchanged.
//
// Example with three leaves: `node(a, b)` and `c` form the level above, and the root is `node(node(a, b),
// c)`. The inclusion proof of `a` is `[b, c]`, and that of `c` is `[node(a, b)]`.
//
// Guarantee: a party that knows the root and the inclusion proof of a leaf can check that the leaf is under
// that root, without any other leaf.
import { hash } from 'node:crypto'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'

const NODE_PREFIX = Buffer.of(1)

export const hashLeaf = (leaf: string): Buffer => hash('sha256', `\0${leaf}`, 'buffer')

const nextLevel = (level: Buffer[]): Buffer[] =>
  Array.from({ length: Math.ceil(level.length / 2) }, (_, index) => {
    const [left, right] = [level[2 * index]!, level[2 * index + 1]]
    return right ? hash('sha256', Buffer.concat([NODE_PREFIX, left, right]), 'buffer') : left
  })

/** Needs at least one leaf. */
export function rootOf(leaves: Buffer[]): Buffer {
  let level = leaves
  while (level.length > 1) level = nextLevel(level)
  return level[0]!
}

/** A power of two, so that the root of each page is a node of the whole tree. */
const PAGE_LEAVES = 256

/**
 * The inclusion proof: the neighbors on the path from the leaf at `position` to the root, from the bottom up. Other
 * requests wait for one page at most.
 */
export async function pathTo(leaves: Buffer[], position: number): Promise<Buffer[]> {
  const roots: Buffer[] = []
  for (let start = 0; start < leaves.length; start += PAGE_LEAVES) {
    roots.push(rootOf(leaves.slice(start, start + PAGE_LEAVES)))
    await yieldToEventLoop()
  }
  const page = Math.floor(position / PAGE_LEAVES)
  const start = page * PAGE_LEAVES
  return [
    ...pathWithin(leaves.slice(start, start + PAGE_LEAVES), position - start),
    ...pathWithin(roots, page),
  ]
}

function pathWithin(leaves: Buffer[], position: number): Buffer[] {
  const path: Buffer[] = []
  for (let level = leaves, index = position; level.length > 1; level = nextLevel(level), index >>= 1) {
    const neighbor = level[index ^ 1]
    if (neighbor) path.push(neighbor)
  }
  return path
}
