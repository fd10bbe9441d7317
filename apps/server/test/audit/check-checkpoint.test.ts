// A checkpoint with a valid signature may still be wrong: the holder of the key has signed something else.
import { expect, test } from 'vitest'
import { hashCheckpoint, signCheckpoint, type Statement } from '../../src/audit/checkpoints/checkpoint.ts'
import { checkCheckpoint } from '../../src/audit/verify-audit/check-checkpoint.ts'
import type { SaltedCheckpoint } from '../../src/audit/verify-audit/verify-audit.sql.ts'
import type { Service } from '../../src/operation.ts'
import { createKeyRing } from '../../src/secrets/key-ring.ts'
import { mintKeys } from '../../src/secrets/open-key-ring.ts'

const ringKeys = mintKeys()
const keys = createKeyRing(() => ringKeys)

class LeavesRead extends Error {}

/** The leaves of a checkpoint are read only if its statement has no fault. */
const service = {
  keys,
  db: {
    getExecutor() {
      throw new LeavesRead()
    },
  },
} as unknown as Service

function sign(change: Partial<Statement>, number = 2): SaltedCheckpoint {
  const unsigned = {
    checkpoint: number,
    first_position: 4,
    last_position: 6,
    root: 'root',
    sealed_at: '2026-01-01T00:00:00.000Z',
    latest_event_at: '2026-01-01T00:00:00.000000Z',
    previous_hash: null,
    ...change,
  }
  return { ...signCheckpoint(keys, unsigned), number, salt: 'salt' }
}

const first = sign({ first_position: 1, last_position: 3 }, 1)
const previous_hash = hashCheckpoint(first)

test('control: a checkpoint that follows the one before it has no fault of its own', async () => {
  await expect(checkCheckpoint(service, first, undefined)).rejects.toThrow(LeavesRead)
  await expect(checkCheckpoint(service, sign({ previous_hash }), first)).rejects.toThrow(LeavesRead)
})

test.each([
  ['the positions leave one out', sign({ previous_hash, first_position: 5 }), first, 'chain_broken'],
  ['the positions overlap', sign({ previous_hash, first_position: 3 }), first, 'chain_broken'],
  ['it names another checkpoint before it', sign({ previous_hash: 'other' }), first, 'chain_broken'],
  ['it names none before it', sign({}), first, 'chain_broken'],
  ['the first names one before it', sign({ previous_hash, first_position: 1 }, 1), undefined, 'chain_broken'],
  ['the first starts later', sign({ first_position: 2 }, 1), undefined, 'chain_broken'],
  ['it has another number', sign({ previous_hash, checkpoint: 3 }), first, 'checkpoint_altered'],
] as const)('%s', async (_what, checkpoint, before, what) => {
  expect(await checkCheckpoint(service, checkpoint, before)).toEqual({
    rows: 0,
    finding: { position: null, event: null, what },
  })
})
