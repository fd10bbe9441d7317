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

test.each([1, 2, 255, 256, 257, 513, 2_561])(
  '%i leaves: the path of each leaf leads to the root',
  async (count) => {
    const leaves = Array.from({ length: count }, (_, index) => hashLeaf(String(index)))
    const ends = [0, 1, 255, 256, 257, 511, 512, count - 2, count - 1]
    for (const position of ends.filter((end) => end >= 0 && end < count)) {
      let [found, index, last] = [leaves[position]!, position, count - 1]
      for (const neighbor of await pathTo(leaves, position)) {
        // A last hash without a neighbor moves up.
        while (index === last && index % 2 === 0) [index, last] = [index >> 1, last >> 1]
        found = rootOf(index % 2 ? [neighbor, found] : [found, neighbor])
        ;[index, last] = [index >> 1, last >> 1]
      }
      expect(found).toEqual(rootOf(leaves))
    }
  },
)

test('other work runs after each page of a full checkpoint', async () => {
  const leaves = Array.from({ length: 10_000 }, (_, index) => hashLeaf(String(index)))
  let [turns, isFound] = [0, false]
  const countTurns = () => {
    turns++
    if (!isFound) setImmediate(countTurns)
  }
  setImmediate(countTurns)
  await pathTo(leaves, 5_000)
  isFound = true
  expect(turns).toBeGreaterThanOrEqual(39)
})

test('the hashes of leaves and nodes have the prefixes of RFC 6962, so that no node passes as a leaf', async () => {
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
  const paths = await Promise.all([0, 1, 2].map((position) => pathTo(leaves, position)))
  expect(paths).toEqual([[b, c], [a, c], [ab]])
})
