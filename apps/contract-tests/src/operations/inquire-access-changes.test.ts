// A waiting long poll ends as soon as the operator ends the access of its partner.
import { describe, expect, test } from 'vitest'
import { type AccessChange, ACCESS_CHANGES, endSoon, revoke, startLongPoll } from '../kit/access-changes.ts'
import { createCredentialClient } from '../kit/credential-client.ts'
import { errorBody } from '../kit/error-body.ts'
import { startServiceForFile } from '../kit/test-service.ts'

/** The wait ends with the change: in far less than this time, which is below the 25 s of the wait. */
const ENDED_BY_CHANGE_MS = 15_000

const service = await startServiceForFile()

describe('a waiting long poll', () => {
  test.each(ACCESS_CHANGES)(
    '$status: the wait ends when $what, and nothing is disclosed',
    async ({ change, status, error }) => {
      const { partner, citizen, trackingNo, pendingResponse } = await startLongPoll(service)
      await change(service, partner)
      const { response, tookMs } = await pendingResponse
      expect(await errorBody(response)).toMatchObject({ status, error })
      expect(tookMs).toBeLessThan(ENDED_BY_CHANGE_MS)
      await citizen.accept(trackingNo)
      expect(await citizen.disclosures()).toEqual([])
    },
  )

  test('401: the wait ends when the used secret expires, without a notification', async () => {
    const pending = await service.pending()
    await endSoon(service, pending.partner, 1)
    const headers = { ...pending.partner.headers, Prefer: 'wait=25' }
    const startedAtMs = performance.now()
    const response = await service.send('inquire', { query: `tracking_no=${pending.trackingNo}`, headers })
    expect(await errorBody(response)).toMatchObject({ status: 401, error: 'credentials_invalid' })
    expect(performance.now() - startedAtMs).toBeLessThan(ENDED_BY_CHANGE_MS)
  })

  test.each<Pick<AccessChange, 'what' | 'change'>>([
    {
      what: 'a secret rotated with grace',
      change: (own, partner) => createCredentialClient(own).rotate(partner, 7),
    },
    { what: 'another secret revoked', change: (own, partner) => revoke(own, partner, 'partner_secret') },
    { what: 'another name', change: (_service, partner) => partner.change({ name: 'Another Name' }) },
    {
      what: 'an allow-list that has the address',
      change: (_service, partner) => partner.change({ ip_allow_list: ['127.0.0.0/8', '::1'] }),
    },
    {
      what: 'one scope less, which it does not need',
      change: (_service, partner) => partner.change({ scopes: ['PROFILE_INQUIRE'] }),
    },
  ])('200: the wait goes on after $what, and discloses once the citizen accepts', async ({ change }) => {
    const { partner, citizen, trackingNo, pendingResponse } = await startLongPoll(service)
    await change(service, partner)
    await citizen.accept(trackingNo)
    const { response } = await pendingResponse
    expect([response.status, response.headers.get('x-authorization-state')]).toEqual([200, 'ACCEPTED'])
    expect(await citizen.disclosures()).toHaveLength(1)
  })
})
