// The tree of RFC 6962, section 2.1, over SHA-256.
import { hash } from 'node:crypto'

const NODE = Buffer.of(1)

export const hashLeaf = (leaf: string): Buffer => hash('sha256', `\0${leaf}`, 'buffer')

/** The level above: two by two; a last one without a neighbour moves up as it is. */
const above = (level: Buffer[]): Buffer[] =>
  Array.from({ length: Math.ceil(level.length / 2) }, (_, index) => {
    const [left, right] = [level[2 * index]!, level[2 * index + 1]]
    return right ? hash('sha256', Buffer.concat([NODE, left, right]), 'buffer') : left
  })

/** Of one leaf or more. */
export function rootOf(leaves: Buffer[]): Buffer {
  let level = leaves
  while (level.length > 1) level = above(level)
  return level[0]!
}

/** The neighbours on the way from a leaf to the root: whoever has them can compute the root from the leaf. */
export function pathTo(leaves: Buffer[], position: number): Buffer[] {
  const path: Buffer[] = []
  for (let level = leaves, at = position; level.length > 1; level = above(level), at >>= 1) {
    const neighbour = level[at ^ 1]
    if (neighbour) path.push(neighbour)
  }
  return path
}
