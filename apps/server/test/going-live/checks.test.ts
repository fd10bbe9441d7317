// Each check of the going-live list, by the traffic of a partner.
import { describe, expect, test } from 'vitest'
import { CHECKS, type Evidence, isReady, NEWEST, runChecks } from '../../src/going-live/checks.ts'
import type { TrafficRow } from '../../src/requests/requests.sql.ts'

const NOW = Date.parse('2026-11-20T08:00:00Z')
let count = 0

/** A request so many seconds after the start. */
const sent = (seconds: number, row: Partial<TrafficRow> = {}): TrafficRow => ({
  request_id: `req_${++count}`,
  received_at: new Date(NOW + seconds * 1_000),
  operation: 'inquire',
  status: 200,
  error: null,
  duration_ms: 0,
  told_state: null,
  retry_after_seconds: null,
  is_looked_up: false,
  is_own: true,
  ...row,
})
/** In the order of sending. */
const evidence = (traffic: TrafficRow[], rest: Partial<Evidence> = {}): Evidence => ({
  traffic: traffic.toReversed(),
  credentials: [],
  signIns: [],
  receiver: undefined,
  ...rest,
})
const outcomeOf = (check: keyof typeof CHECKS, traffic: TrafficRow[], rest?: Partial<Evidence>) => {
  const { outcome, seen, faults } = CHECKS[check](evidence(traffic, rest))
  return [outcome, seen, faults]
}
const requested = (seconds = 0) => sent(seconds, { operation: 'requestAuthorization', told_state: 'PENDING' })
const told = (told_state: TrafficRow['told_state'], row: Partial<TrafficRow> = {}) =>
  sent(5, { told_state, ...row })
const waiting = { retry_after_seconds: 5, told_state: 'PENDING' as const }
const limited = { retry_after_seconds: 30, status: 429, error: 'rate_limited' as const }

describe('states', () => {
  const all = (['ACCEPTED', 'DECLINED', 'EXPIRED', 'REVOKED'] as const).map((state) => told(state))

  test('each end state that an inquiry told, and none that another operation told', () => {
    expect(outcomeOf('states', [requested(), ...all])).toEqual(['passed', 4, 0])
    expect(outcomeOf('states', [requested(), ...all.slice(1)])).toEqual(['not_seen', 3, 0])
    const other = told('ACCEPTED', { operation: 'cancelAuthorization' })
    expect(outcomeOf('states', [requested(), ...all.slice(1), other])).toEqual(['not_seen', 3, 0])
    const ofPage = told('ACCEPTED', { is_own: false })
    expect(outcomeOf('states', [requested(), ...all.slice(1), ofPage])).toEqual(['not_seen', 3, 0])
    expect(CHECKS.states(evidence([requested(), all[0]!])).detail).toContain('DECLINED, EXPIRED, REVOKED')
  })

  test('not used without a requested authorization', () => {
    expect(outcomeOf('states', all)[0]).toBe('not_used')
    expect(outcomeOf('states', [sent(0, { operation: 'requestAuthorization', status: 422 })])[0]).toBe(
      'not_used',
    )
  })
})

describe('retry_after', () => {
  test('a pending record that is inquired again later', () => {
    expect(outcomeOf('retry_after', [sent(0, waiting), sent(5, waiting)])).toEqual(['passed', 1, 0])
    expect(outcomeOf('retry_after', [sent(0, waiting)])).toEqual(['not_seen', 0, 0])
    expect(outcomeOf('retry_after', [{ ...requested(), ...waiting }, sent(5)])).toEqual(['passed', 1, 0])
    // Another record.
    expect(outcomeOf('retry_after', [sent(0, waiting), sent(1)])).toEqual(['passed', 1, 0])
  })

  test('fails with an inquiry too early', () => {
    const early = sent(1, { status: 429, error: 'slow_down', retry_after_seconds: 4 })
    expect(outcomeOf('retry_after', [sent(0, waiting), early])).toEqual(['failed', 2, 1])
  })

  test('fails with a rejected operation that is repeated too early, but not by parallel or other requests', () => {
    expect(outcomeOf('retry_after', [sent(0, limited), sent(28)])).toEqual(['failed', 1, 1])
    expect(outcomeOf('retry_after', [sent(0, limited), sent(30)])).toEqual(['passed', 1, 0])
    expect(
      outcomeOf('retry_after', [sent(0, { ...limited, duration_ms: 200 }), sent(0.1), sent(31)]),
    ).toEqual(['passed', 1, 0])
    expect(
      outcomeOf('retry_after', [sent(0, limited), sent(5, { operation: 'profileByQr' }), sent(30)]),
    ).toEqual(['passed', 1, 0])
    // Anyone can name a partner.
    expect(outcomeOf('retry_after', [sent(0, limited), sent(5, { is_own: false }), sent(30)])).toEqual([
      'passed',
      1,
      0,
    ])
  })

  test(`passes again after ${NEWEST} waits that were obeyed`, () => {
    const faulty = [sent(0, limited), sent(1)]
    const good = (waits: number) =>
      Array.from({ length: waits + 1 }, (_, index) => sent(100 + 5 * index, waiting))
    expect(outcomeOf('retry_after', [...faulty, ...good(NEWEST - 1)])[0]).toBe('failed')
    expect(outcomeOf('retry_after', [...faulty, ...good(NEWEST)])[0]).toBe('passed')
  })
})

test('signatures: what the server did', () => {
  expect(outcomeOf('signatures', [], { receiver: undefined })).toEqual(['not_used', 0, 0])
  expect(outcomeOf('signatures', [], { receiver: '' })).toEqual(['passed', 1, 0])
  expect(outcomeOf('signatures', [], { receiver: 'must refuse it' })).toEqual(['failed', 0, 1])
})

test('browser: fails until a rotation after the last request from a browser', () => {
  const leak = sent(10, { status: 403, error: 'browser_use_forbidden', is_own: false })
  const secret = (seconds: number) => ({
    kind: 'secret_token' as const,
    created_at: new Date(NOW + seconds * 1_000),
    last_used_on: null,
  })
  expect(outcomeOf('browser', [])).toEqual(['not_seen', 0, 0])
  expect(outcomeOf('browser', [sent(0)], { credentials: [secret(0)] })).toEqual(['passed', 1, 0])
  expect(outcomeOf('browser', [sent(0), leak], { credentials: [secret(0)] })).toEqual(['failed', 1, 1])
  expect(outcomeOf('browser', [sent(0), leak], { credentials: [secret(20), secret(0)] })).toEqual([
    'passed',
    1,
    0,
  ])
  // The other secret was not sent.
  const other = { ...secret(20), kind: 'partner_secret' as const }
  expect(outcomeOf('browser', [sent(0), leak], { credentials: [other, secret(0)] })[0]).toBe('failed')
  const leakedOther = { ...leak, operation: 'generateToken' }
  expect(outcomeOf('browser', [sent(0), leakedOther], { credentials: [secret(20)] })[0]).toBe('failed')
  expect(outcomeOf('browser', [sent(0), leakedOther], { credentials: [other] })[0]).toBe('passed')
})

test('sign_in_binding: the newest sign-ins have state or a code challenge', () => {
  const signIns = (...bound: boolean[]) => ({ signIns: bound.map((is_bound) => ({ is_bound })) })
  expect(outcomeOf('sign_in_binding', [], signIns())).toEqual(['not_used', 0, 0])
  expect(outcomeOf('sign_in_binding', [], signIns(true, true))).toEqual(['passed', 2, 0])
  expect(outcomeOf('sign_in_binding', [], signIns(true, false))).toEqual(['failed', 1, 1])
  const mended = Array.from({ length: NEWEST }, () => true)
  expect(outcomeOf('sign_in_binding', [], signIns(...mended, false))[0]).toBe('passed')
})

test('rotation: a secret that followed another one of its kind is used', () => {
  const of = (kind: 'secret_token' | 'partner_secret', last_used_on: string | null) => ({
    kind,
    created_at: new Date(NOW),
    last_used_on,
  })
  const outcome = (...credentials: Evidence['credentials']) => outcomeOf('rotation', [], { credentials })[0]
  expect(outcome(of('secret_token', '2026-11-20'), of('partner_secret', '2026-11-20'))).toBe('not_seen')
  expect(outcome(of('secret_token', null), of('secret_token', '2026-11-20'))).toBe('not_seen')
  expect(outcome(of('secret_token', '2026-11-20'), of('secret_token', '2026-11-20'))).toBe('passed')
})

describe('errors', () => {
  const unknown = { status: 404, error: 'tracking_no_not_found' as const }
  const lookedUp = { ...unknown, is_looked_up: true }
  const invalid = { status: 422, error: 'qr_value_invalid' as const }

  test('one of each repeated code is looked up', () => {
    expect(outcomeOf('errors', [sent(0)])).toEqual(['not_seen', 0, 0])
    expect(outcomeOf('errors', [sent(0, unknown)])).toEqual(['not_seen', 0, 0])
    expect(outcomeOf('errors', [sent(0, lookedUp), sent(1, unknown)])).toEqual(['passed', 1, 0])
    expect(outcomeOf('errors', [sent(0, lookedUp), sent(1, invalid)])).toEqual(['passed', 1, 0])
    expect(outcomeOf('errors', [sent(0, lookedUp), sent(1, invalid), sent(2, invalid)])).toEqual([
      'failed',
      1,
      1,
    ])
  })

  test('neither errors of the service nor those of other checks count, nor those of requests that only name it', () => {
    const unavailable = { status: 503, error: 'unavailable' as const }
    const slow = { status: 429, error: 'slow_down' as const }
    const named = { ...unknown, is_own: false }
    const traffic = [unavailable, unavailable, slow, slow, named, named].map((row, index) => sent(index, row))
    expect(outcomeOf('errors', [...traffic, sent(9, { ...invalid, is_looked_up: true })])[0]).toBe('passed')
  })
})

test('a partner that uses neither API is not ready', () => {
  expect(isReady(runChecks(evidence([])))).toBe(false)
  const passed = (check: 'states' | 'rotation') => [
    { check, outcome: 'passed' as const, seen: 1, faults: 0, request_ids: [], detail: '' },
  ]
  expect(isReady(passed('rotation'))).toBe(false)
  expect(isReady(passed('states'))).toBe(true)
})
