import { expect, test } from 'vitest'
import { type SealableRow, toLeaf } from '../../src/audit/leaf.ts'
import { hashLeaf, rootOf } from '../../src/audit/merkle.ts'
import { checkLeaves } from '../../src/audit/verify-audit/check-leaves.ts'

const SALT = 'salt'
const CHECKPOINT = {
  first_position: 1,
  last_position: 1,
  sealed_at: '2026-01-01T12:00:00.000Z',
  salt: SALT,
}

test.each([
  ['2026-01-01T13:00:00.000000Z', '11:00', undefined],
  ['2026-01-01T13:00:00.001000Z', '11:00', 'event_misdated'],
  ['2026-01-01T10:00:00.000000Z', '11:00', undefined],
  ['2026-01-01T09:59:59.999000Z', '11:00', 'event_misdated'],
  ['2026-01-01T12:00:00.000000Z', '13:00', undefined],
  // The time before is misdated itself.
  ['2026-01-01T12:00:00.000000Z', '13:01', undefined],
])(
  'an event of %s under a checkpoint of 12:00, after events of %s: %s',
  async (occurred_at, before, what) => {
    const event: SealableRow = {
      id: 1,
      xid: '1',
      occurred_at,
      kind: 'partner.changed',
      partner_id: null,
      partner_code: null,
      citizen_id: null,
      tracking_no: null,
      request_id: 'req_1',
      actor: null,
      reason: null,
      detail: null,
    }
    const hash = hashLeaf(toLeaf(event, SALT))
    const leaves = [{ position: 0, event_id: 1, hash: hash.toString('base64url'), event }]
    const root = rootOf([hash]).toString('base64url')
    expect(
      (await checkLeaves(leaves, { ...CHECKPOINT, newest_before: `2026-01-01T${before}:00.000000Z`, root }))
        ?.what,
    ).toBe(what)
  },
)
