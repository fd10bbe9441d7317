import { describe, expect, test } from 'vitest'
import { Failure } from '../../src/failure.ts'
import { withCurrentAccess } from '../../src/partners/access.ts'
import type { AuthenticatedPartner } from '../../src/partners/partner.ts'

const partner = (access_version: number, scopes: AuthenticatedPartner['scopes']): AuthenticatedPartner => ({
  id: 1,
  partner_code: 'PARTNER',
  name: 'Partner',
  purpose: 'To test.',
  scopes,
  status: 'ACTIVE',
  callback_url: null,
  sso_url: null,
  ip_allow_list: [],
  is_slowed: false,
  limits: {
    requests_per_minute: null,
    views_per_minute: null,
    tokens_per_minute: null,
    sign_ins_per_minute: null,
    per_day: null,
  },
  created_at: new Date(0),
  going_live: null,
  today: '2026-01-01',
  used_today: 0,
  access_version,
  credential_id: 1,
})

/**
 * Runs a statement for a partner that had version 1 of its access and now is `current`. The statement finds
 * the access current from `currentFrom` on. Returns the outcome, and the versions that the statement got.
 */
async function runWith(current: AuthenticatedPartner, currentFrom: number) {
  const versions: number[] = []
  const call = { caller: partner(1, ['PROFILE_VIEW']), reauthenticate: async () => current }
  const outcome = await withCurrentAccess(call, 'PROFILE_VIEW', async ({ access_version }) => {
    versions.push(access_version)
    return { is_current: access_version >= currentFrom }
  }).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error
    return [error.code, error.headers['Retry-After']]
  })
  return { outcome, versions }
}

describe('a statement that finds that the access of its partner has changed', () => {
  test('does not run again if the access was current', async () => {
    const { outcome, versions } = await runWith(partner(2, ['PROFILE_VIEW']), 1)
    expect([outcome, versions]).toEqual([{ is_current: true }, [1]])
  })

  test('runs once more, for the partner as it is now', async () => {
    const { outcome, versions } = await runWith(partner(2, ['PROFILE_VIEW']), 2)
    expect([outcome, versions]).toEqual([{ is_current: true }, [1, 2]])
  })

  test('does not run again if the partner has lost the scope', async () => {
    const { outcome, versions } = await runWith(partner(2, ['PROFILE_INQUIRE']), 2)
    expect([outcome, versions]).toEqual([['scope_not_granted', undefined], [1]])
  })

  test('503: is refused if the access has changed once more', async () => {
    const { outcome, versions } = await runWith(partner(2, ['PROFILE_VIEW']), 3)
    expect([outcome, versions]).toEqual([
      ['unavailable', '1'],
      [1, 2],
    ])
  })
})
