import type { Schemas } from '@tiwala/contract'
import { describe, expect, test } from 'vitest'
import { isAccessChange, toLostChanges } from '../src/lost-changes.ts'

type Fields = Partial<Schemas['AuditEvent']>
const SUBJECT = '11111111-1111-4111-8111-111111111111'
const OTHER = '22222222-2222-4222-8222-222222222222'

const eventOf = (fields: Fields, index: number): Schemas['AuditEvent'] => ({
  id: index + 1,
  occurred_at: `2026-01-31T12:00:0${index}.000Z`,
  kind: 'preferences.changed',
  partner_code: null,
  tracking_no: null,
  request_id: `req_${index}`,
  actor: null,
  detail: null,
  reason: null,
  seal: null,
  ...fields,
})
const details = (...texts: string[]) =>
  toLostChanges(texts.map((detail, index) => eventOf({ detail }, index))).map(({ detail }) => detail)

describe('toLostChanges', () => {
  test('the last status of each partner counts', () => {
    const events = [
      { kind: 'partner.suspended', partner_code: 'A' },
      { kind: 'partner.suspended', partner_code: 'B' },
      { kind: 'partner.resumed', partner_code: 'A' },
    ].map(eventOf)
    expect(toLostChanges(events)).toEqual([
      { kind: 'partner.suspended', partner_code: 'B', occurred_at: '2026-01-31T12:00:01.000Z' },
      { kind: 'partner.resumed', partner_code: 'A', occurred_at: '2026-01-31T12:00:02.000Z' },
    ])
  })

  test('every secret, record and citizen counts', () => {
    const events = [
      { kind: 'credential.revoked', partner_code: 'A', detail: 'crd_1' },
      { kind: 'credential.revoked', partner_code: 'A', detail: 'crd_2' },
      { kind: 'authorization.revoked', partner_code: 'A', tracking_no: '1' },
      { kind: 'authorization.revoked', partner_code: 'B', tracking_no: '1' },
      { kind: 'citizen.erased', detail: SUBJECT },
      { kind: 'citizen.erased', detail: OTHER },
    ]
    expect(toLostChanges(events.map(eventOf))).toHaveLength(6)
  })

  test('the preferences of a citizen are merged, and what is allowed again is left out', () => {
    expect(
      details(`${SUBJECT}: frozen, blocked A B`, `${SUBJECT}: unfrozen, blocked C, unblocked A`),
    ).toEqual([`${SUBJECT}: blocked B C`])
    expect(details(`${SUBJECT}: frozen`, `${SUBJECT}: unfrozen`)).toEqual([])
    expect(details(`${SUBJECT}: unblocked A`, `${SUBJECT}: frozen, blocked A`)).toEqual([
      `${SUBJECT}: frozen, blocked A`,
    ])
    expect(details(`${SUBJECT}: frozen`, `${OTHER}: unfrozen`)).toEqual([`${SUBJECT}: frozen`])
  })
})

test('isAccessChange: every field of a partner but its name, purpose and limits, and each change of a member', () => {
  const isAccess = (kind: string, detail: string | null) => isAccessChange(eventOf({ kind, detail }, 0))
  for (const detail of [
    'name scopes',
    'ip_allow_list',
    'callback_url',
    'sso_url',
    'sign_in',
    'keys jwks_url',
  ])
    expect([detail, isAccess('partner.changed', detail)]).toEqual([detail, true])
  for (const detail of ['name', 'purpose limits', null])
    expect([detail, isAccess('partner.changed', detail)]).toEqual([detail, false])
  expect([isAccess('member.removed', 'mbr_1'), isAccess('member.changed', 'mbr_1 viewer')]).toEqual([
    true,
    true,
  ])
  expect([isAccess('member.invited', 'mbr_1 viewer'), isAccess('partner.created', null)]).toEqual([
    false,
    false,
  ])
})
