import { describe, expect, test } from 'vitest'
import { refusal, startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile({
  TIWALA_PENDING_PER_CITIZEN: '5',
  TIWALA_PENDING_PER_CITIZEN_AND_PARTNER: '3',
  TIWALA_REQUESTS_PER_CITIZEN_AND_HOUR: '30',
})

describe('requestAuthorization', () => {
  test('429: a fourth pending request of a partner, a sixth of all; the QR value stays unused', async () => {
    const [first, second, citizen] = [
      await service.partner(),
      await service.partner(),
      await service.citizen(),
    ]
    for (let count = 0; count < 3; count++) await first.profiles.requestAuthorization(await citizen.showQr())
    const refused = await refusal(first.profiles.requestAuthorization(await citizen.showQr()))
    expect(refused).toMatchObject({ status: 429, code: 'rate_limited' })
    expect(refused.retryAfterSeconds).toBeGreaterThan(290)
    expect(refused.retryAfterSeconds).toBeLessThanOrEqual(300)
    await second.profiles.requestAuthorization(await citizen.showQr())
    const { record } = await second.profiles.requestAuthorization(await citizen.showQr())
    const qrValue = await citizen.showQr()
    expect((await refusal(second.profiles.requestAuthorization(qrValue))).code).toBe('rate_limited')
    await citizen.decline(record.tracking_no)
    expect((await second.profiles.requestAuthorization(qrValue)).state).toBe('PENDING')
  })

  test('429: an expired request no longer counts, even before the expiry worker runs', async () => {
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    for (let count = 0; count < 3; count++)
      await partner.profiles.requestAuthorization(await citizen.showQr())
    expect((await refusal(partner.profiles.requestAuthorization(await citizen.showQr()))).code).toBe(
      'rate_limited',
    )
    await service.advance(301)
    expect((await partner.profiles.requestAuthorization(await citizen.showQr())).state).toBe('PENDING')
  })

  test('429: a thirty-first request within an hour, regardless of the state of the others', async () => {
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    for (let count = 0; count < 30; count++) {
      const { record } = await partner.profiles.requestAuthorization(await citizen.showQr())
      await citizen.decline(record.tracking_no)
    }
    const refused = await refusal(partner.profiles.requestAuthorization(await citizen.showQr()))
    expect(refused).toMatchObject({ status: 429, code: 'rate_limited' })
    expect(refused.retryAfterSeconds).toBeGreaterThan(3_500)
    await service.advance(3_600)
    expect((await partner.profiles.requestAuthorization(await citizen.showQr())).state).toBe('PENDING')
  })

  test('200 or 429: of many simultaneous requests exactly as many succeed as the limit allows', async () => {
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    const qrValues = await Promise.all(Array.from({ length: 12 }, () => citizen.showQr()))
    const outcomes = await Promise.all(
      qrValues.map((qrValue) =>
        partner.profiles.requestAuthorization(qrValue).then(
          () => 200,
          ({ status }: { status: number }) => status,
        ),
      ),
    )
    expect(outcomes.filter((status) => status === 200)).toHaveLength(3)
    expect(outcomes.filter((status) => status === 429)).toHaveLength(9)
  })

  test('429: the error does not name the citizen, and another citizen is not affected', async () => {
    const [partner, citizen, other] = [
      await service.partner(),
      await service.citizen(),
      await service.citizen(),
    ]
    for (let count = 0; count < 3; count++)
      await partner.profiles.requestAuthorization(await citizen.showQr())
    const refused = await refusal(partner.profiles.requestAuthorization(await citizen.showQr()))
    expect(refused.message).not.toContain(citizen.uniqid)
    expect((await partner.profiles.requestAuthorization(await other.showQr())).state).toBe('PENDING')
  })
})
