import { describe, expect, test } from 'vitest'
import { refusal, startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile()

describe('cancelAuthorization', () => {
  test('200: the request ends once, and a repeated cancellation changes nothing', async () => {
    const { partner, citizen, trackingNo } = await service.pending()
    const first = await partner.profiles.cancelAuthorization(trackingNo)
    expect(first).toMatchObject({
      state: 'CANCELLED',
      record: { is_accepted: 0, accepted_at: null, response: null },
    })
    expect((await partner.profiles.cancelAuthorization(trackingNo)).record).toEqual(first.record)
    expect((await partner.profiles.inquire(trackingNo)).record).toEqual(first.record)
    expect((await refusal(citizen.accept(trackingNo))).code).toBe('authorization_not_pending')
  })

  test('409: an accepted, declined or expired record is not changed', async () => {
    for (const end of ['accept', 'decline', 'expire'] as const) {
      const { partner, citizen, trackingNo } = await service.pending()
      await (end === 'expire' ? service.advance(301) : citizen[end](trackingNo))
      const before = await partner.profiles.inquire(trackingNo)
      expect((await refusal(partner.profiles.cancelAuthorization(trackingNo))).code).toBe(
        'authorization_not_pending',
      )
      expect((await partner.profiles.inquire(trackingNo)).record).toEqual(before.record)
    }
  })

  test("404: another partner's record is treated as an unknown one, and stays pending", async () => {
    const { partner, trackingNo } = await service.pending()
    const otherPartner = await service.partner()
    expect((await refusal(otherPartner.profiles.cancelAuthorization(trackingNo))).code).toBe(
      'tracking_no_not_found',
    )
    expect((await partner.profiles.inquire(trackingNo)).state).toBe('PENDING')
  })

  test('200 or 409: of simultaneous acceptance and cancellation exactly one succeeds', async () => {
    for (let round = 0; round < 10; round++) {
      const { partner, citizen, trackingNo } = await service.pending()
      const outcomes = await Promise.allSettled([
        citizen.accept(trackingNo),
        partner.profiles.cancelAuthorization(trackingNo),
      ])
      const [accepted, cancelled] = outcomes.map(({ status }) => status === 'fulfilled')
      expect(accepted).not.toBe(cancelled)
      expect((await partner.profiles.inquire(trackingNo)).state).toBe(accepted ? 'ACCEPTED' : 'CANCELLED')
    }
  })
})
