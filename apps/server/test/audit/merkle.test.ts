// The sealer builds a Merkle tree page by page.
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { hashLeaf, pathTo, rootOf } from '../../src/audit/merkle.ts'

test.each([1, 2, 255, 256, 257, 511, 512, 513, 700, 2_561, 10_000])(
  '%i leaves: the root over the roots of pages of 256 leaves is the root of the whole tree',
  (count) => {
    const leaves = Array.from({ length: count }, (_, index) => hashLeaf(String(index)))
    const parts = Array.from({ length: Math.ceil(count / 256) }, (_, index) =>
      rootOf(leaves.slice(index * 256, (index + 1) * 256)),
    )
    expect(rootOf(parts)).toEqual(rootOf(leaves))
  },
)

test('the hashes of leaves and nodes have the prefixes of RFC 6962, so that no node passes as a leaf', () => {
  const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest()
  const [a, b, c] = ['a', 'b', 'c'].map((text) => sha256(Buffer.of(0), Buffer.from(text))) as [
    Buffer,
    Buffer,
    Buffer,
  ]
  const ab = sha256(Buffer.of(1), a, b)
  const leaves = ['a', 'b', 'c'].map(hashLeaf)
  expect(leaves).toEqual([a, b, c])
  expect(rootOf(leaves)).toEqual(sha256(Buffer.of(1), ab, c))
  expect([0, 1, 2].map((position) => pathTo(leaves, position))).toEqual([[b, c], [a, c], [ab]])
})
