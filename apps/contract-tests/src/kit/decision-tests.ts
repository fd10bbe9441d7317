// The tests that accepting and declining share: each decides a pending record, and refuses what the other has
// decided.
import { describe, expect, test } from 'vitest'
import { refusal, type TestService } from './test-service.ts'

const DECISIONS = {
  acceptAuthorization: { state: 'ACCEPTED', opposite: 'declineAuthorization' },
  declineAuthorization: { state: 'DECLINED', opposite: 'acceptAuthorization' },
} as const

/** Defines the tests of one of the two operations. */
export function testDecision(service: TestService, operation: keyof typeof DECISIONS): void {
  const { state, opposite } = DECISIONS[operation]
  describe.each([operation])('%s', () => {
    test('200: the record changes once, and a repeated decision changes nothing', async () => {
      const { partner, citizen, trackingNo } = await service.pending()
      const first = await citizen.app(operation, { path: { tracking_no: trackingNo } })
      await service.advance(5)
      const again = await citizen.app(operation, { path: { tracking_no: trackingNo } })
      expect(first.body).toMatchObject({ state, tracking_no: trackingNo, expires_at: null })
      expect(again.body.answered_at).toBe(first.body.answered_at)
      expect((await partner.profiles.inquire(trackingNo)).state).toBe(state)
    })

    test('409: the opposite of an earlier decision', async () => {
      const { partner, citizen, trackingNo } = await service.pending()
      await citizen.app(opposite, { path: { tracking_no: trackingNo } })
      const before = await partner.profiles.inquire(trackingNo)
      expect((await refusal(citizen.app(operation, { path: { tracking_no: trackingNo } }))).code).toBe(
        'authorization_not_pending',
      )
      expect(await partner.profiles.inquire(trackingNo)).toMatchObject({
        state: before.state,
        record: before.record,
      })
    })

    test('409: a request that expired after 300 seconds', async () => {
      const { partner, citizen, trackingNo } = await service.pending()
      await service.advance(301)
      expect((await refusal(citizen.app(operation, { path: { tracking_no: trackingNo } }))).code).toBe(
        'authorization_not_pending',
      )
      expect((await partner.profiles.inquire(trackingNo)).state).toBe('EXPIRED')
    })

    test("404: another citizen's record is treated as an unknown one", async () => {
      const { partner, trackingNo } = await service.pending()
      const otherCitizen = await service.citizen()
      expect((await refusal(otherCitizen.app(operation, { path: { tracking_no: trackingNo } }))).code).toBe(
        'tracking_no_not_found',
      )
      expect((await partner.profiles.inquire(trackingNo)).state).toBe('PENDING')
    })

    test('200: of many simultaneous opposite decisions exactly one succeeds', async () => {
      const { partner, citizen, trackingNo } = await service.pending()
      const path = { tracking_no: trackingNo }
      const responses = await Promise.allSettled(
        Array.from({ length: 16 }, (_, index) => citizen.app(index % 2 ? operation : opposite, { path })),
      )
      const states = new Set(
        responses.flatMap((response) => (response.status === 'fulfilled' ? [response.value.body.state] : [])),
      )
      expect(states.size).toBe(1)
      expect(states).toContain((await partner.profiles.inquire(trackingNo)).state)
    })
  })
}
