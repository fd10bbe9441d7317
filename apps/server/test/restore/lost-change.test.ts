import type { Schemas } from '@tiwala/contract'
import { expect, test } from 'vitest'
import { readRestriction } from '../../src/restore/replay-change/lost-change.ts'

const SUBJECT = '01234567-89ab-cdef-0123-456789abcdef'

test.each([
  ['frozen', true, []],
  ['unfrozen', false, []],
  ['unfrozen, blocked BANK_A', false, ['BANK_A']],
  ['unblocked BANK_A', false, []],
  ['frozen, blocked BANK_A BANK_B, unblocked BANK_C', true, ['BANK_A', 'BANK_B']],
])('the text "%s": only what it forbids is read', (text, freeze, block) => {
  const change = { kind: 'preferences.changed', detail: `${SUBJECT}: ${text}` } as Schemas['LostChange']
  expect(readRestriction(change)).toEqual({ subject: SUBJECT, freeze, block })
})
