// The sealer builds a tree page by page.
import { expect, test } from 'vitest'
import { hashLeaf, rootOf } from '../../src/audit/merkle.ts'

test.each([1, 2, 255, 256, 257, 511, 512, 513, 700, 2_561, 10_000])(
  'of %i leaves, the root of the roots of 256 each is the root',
  (count) => {
    const leaves = Array.from({ length: count }, (_, index) => hashLeaf(String(index)))
    const parts = Array.from({ length: Math.ceil(count / 256) }, (_, index) => rootOf(leaves.slice(index * 256, (index + 1) * 256)))
    expect(rootOf(parts)).toEqual(rootOf(leaves))
  },
)
