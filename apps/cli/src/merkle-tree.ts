// The tree of RFC 6962, section 2.1, written apart from the server's: who checks must not repeat the mistakes of who seals.
import { hash } from 'node:crypto'

const sha256 = (...parts: Uint8Array[]): Buffer => hash('sha256', Buffer.concat(parts), 'buffer')

/** Split at the largest power of two below the number of leaves. Of one leaf or more. */
function treeHash(leaves: string[]): Buffer {
  if (leaves.length === 1) return sha256(Buffer.of(0), Buffer.from(leaves[0]!))
  let split = 1
  while (split * 2 < leaves.length) split *= 2
  return sha256(Buffer.of(1), treeHash(leaves.slice(0, split)), treeHash(leaves.slice(split)))
}

export const merkleRoot = (leaves: string[]): string => treeHash(leaves).toString('base64url')
