// The Merkle tree hash of RFC 6962, section 2.1. It shares no code with the server, so that a mistake in the
// server's code cannot hide itself from the verification.
import { hash } from 'node:crypto'

const sha256 = (...parts: Uint8Array[]): Buffer => hash('sha256', Buffer.concat(parts), 'buffer')

/** Needs at least one leaf. Splits at the largest power of two below the number of leaves. */
function treeHash(leaves: string[]): Buffer {
  if (leaves.length === 1) return sha256(Buffer.of(0), Buffer.from(leaves[0]!))
  let split = 1
  while (split * 2 < leaves.length) split *= 2
  return sha256(Buffer.of(1), treeHash(leaves.slice(0, split)), treeHash(leaves.slice(split)))
}

export const merkleRoot = (leaves: string[]): string => treeHash(leaves).toString('base64url')
