// How often a partner can read the profile of one record. Each test has its own partner and citizen.
import type { ErrorCode } from '@tiwala/contract'
import { describe, expect, test } from 'vitest'
import { refusal, startServiceForFile } from '../kit/test-service.ts'

const PER_HOUR = 3

const service = await startServiceForFile({
  TIWALA_DISCLOSURES_PER_RECORD_AND_HOUR: String(PER_HOUR),
  TIWALA_VIEWS_PER_MINUTE: '1000000',
})

const RATE_LIMITED = { status: 429, code: 'rate_limited' satisfies ErrorCode }

/**
 * Waits until the service has received the notifications of all changes so far: a change of a record begins its count
 * again. Notifications arrive in the order of the changes.
 */
async function untilNotified(): Promise<void> {
  const { partner, citizen, trackingNo } = await service.pending()
  const waiting = partner.profiles.waitForAcceptance(trackingNo)
  await expect.poll(() => service.waiting(), { interval: 5 }).toBe(1)
  await citizen.accept(trackingNo)
  await waiting
}

async function accepted() {
  const { partner, citizen, trackingNo } = await service.pending()
  await citizen.accept(trackingNo)
  await untilNotified()
  return { partner, citizen, trackingNo, read: () => partner.profiles.inquire(trackingNo) }
}

describe('the profile of an accepted record', () => {
  test('429: a read above the limit, which writes no audit row; another record can be read', async () => {
    const { citizen, partner, read } = await accepted()
    for (let count = 0; count < PER_HOUR; count++) expect((await read()).state).toBe('ACCEPTED')
    const refused = await refusal(read())
    expect(refused).toMatchObject(RATE_LIMITED)
    expect(refused.retryAfterSeconds).toBeGreaterThan(3_000)
    expect(refused.retryAfterSeconds).toBeLessThanOrEqual(3_600)
    expect(await citizen.disclosures()).toHaveLength(PER_HOUR)

    const { record } = await partner.profiles.requestAuthorization(await citizen.showQr())
    await citizen.accept(record.tracking_no)
    expect((await partner.profiles.inquire(record.tracking_no)).state).toBe('ACCEPTED')
  })

  test('429: parallel reads do not exceed the limit', async () => {
    const { citizen, read } = await accepted()
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, read))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(PER_HOUR)
    expect(await citizen.disclosures()).toHaveLength(PER_HOUR)
  })

  test('200: pending, unknown and foreign records do not count, and a revocation is read at once', async () => {
    const { partner, citizen, trackingNo } = await service.pending()
    const other = await service.partner()
    for (let count = 0; count <= PER_HOUR; count++) {
      expect((await partner.profiles.inquire(trackingNo)).state).toBe('PENDING')
      expect((await refusal(other.profiles.inquire(trackingNo))).code).toBe('tracking_no_not_found')
    }
    await citizen.accept(trackingNo)
    await untilNotified()
    for (let count = 0; count < PER_HOUR; count++) await partner.profiles.inquire(trackingNo)
    expect(await refusal(partner.profiles.inquire(trackingNo))).toMatchObject(RATE_LIMITED)
    await citizen.revoke(trackingNo)
    // The notification of the change arrives after the response.
    const stateOf = async () => (await partner.profiles.inquire(trackingNo)).state
    await expect.poll(() => stateOf().catch(() => undefined), { interval: 10 }).toBe('REVOKED')
  })

  test('429: the limit counts a request with the same QR value, too', async () => {
    const { partner, citizen } = await service.pending()
    const qrValue = await citizen.showQr()
    const { record } = await partner.profiles.requestAuthorization(qrValue)
    await citizen.accept(record.tracking_no)
    await untilNotified()
    for (let count = 0; count < PER_HOUR; count++) await partner.profiles.requestAuthorization(qrValue)
    expect(await refusal(partner.profiles.requestAuthorization(qrValue))).toMatchObject(RATE_LIMITED)
    expect(await refusal(partner.profiles.inquire(record.tracking_no))).toMatchObject(RATE_LIMITED)
    expect(await citizen.disclosures()).toHaveLength(PER_HOUR)
  })
})

test('429: a viewed record is read at most so often after its QR value was used', async () => {
  const [partner, citizen] = [await service.partner(), await service.citizen()]
  const qrValue = await citizen.showQr('share')
  const { record } = await partner.profiles.profileByQr(qrValue)
  await untilNotified()
  for (let count = 0; count < PER_HOUR; count++) await partner.profiles.profileByQr(qrValue)
  expect(await refusal(partner.profiles.profileByQr(qrValue))).toMatchObject(RATE_LIMITED)
  expect(await refusal(partner.profiles.inquire(record.tracking_no))).toMatchObject(RATE_LIMITED)
  expect(await citizen.disclosures()).toHaveLength(PER_HOUR + 1)
})
