// The sealer builds a Merkle tree page by page.
import { expect, test } from 'vitest'
import { hashLeaf, rootOf } from '../../src/audit/merkle.ts'

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
