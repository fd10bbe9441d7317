import { afterEach, describe, expect, test, vi } from 'vitest'
import { refusal, refusalOfPolling, startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile({ TIWALA_POLL_INTERVAL_SECONDS: '2' })
afterEach(() => vi.restoreAllMocks())

/** A partner, a citizen and their pending record. */
async function createPendingRecord() {
  const [partner, citizen] = [await service.partner(), await service.citizen()]
  const { record } = await partner.profiles.requestAuthorization(await citizen.showQr())
  return { partner, citizen, trackingNo: record.tracking_no }
}

describe('inquire', () => {
  test('429: a second inquiry about a pending record within 2 seconds', async () => {
    const { partner, trackingNo } = await createPendingRecord()
    expect((await partner.profiles.inquire(trackingNo)).retryAfterSeconds).toBe(2)
    const slowDown = await refusalOfPolling(() => partner.profiles.inquire(trackingNo))
    expect(slowDown).toMatchObject({ status: 429, code: 'slow_down' })
    expect([1, 2]).toContain(slowDown.retryAfterSeconds)
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 2_000)
    expect((await partner.profiles.inquire(trackingNo)).state).toBe('PENDING')
  })

  test('429: polling one record too early delays neither another record nor the final state', async () => {
    const { partner, citizen, trackingNo } = await createPendingRecord()
    const other = await partner.profiles.requestAuthorization(await citizen.showQr())
    await partner.profiles.inquire(trackingNo)
    expect((await refusalOfPolling(() => partner.profiles.inquire(trackingNo))).code).toBe('slow_down')
    await citizen.accept(other.record.tracking_no)
    for (const state of ['ACCEPTED', 'ACCEPTED'])
      expect((await partner.profiles.inquire(other.record.tracking_no)).state).toBe(state)
  })

  test("404: another partner's pending record looks like none, also just after it was polled", async () => {
    const [{ partner, trackingNo }, another] = [await createPendingRecord(), await service.partner()]
    await partner.profiles.inquire(trackingNo)
    expect(await refusal(another.profiles.inquire(trackingNo))).toMatchObject({
      status: 404,
      code: 'tracking_no_not_found',
    })
  })
})
