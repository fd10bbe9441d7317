import { describe, expect, test } from 'vitest'
import { refusal, startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile()

describe('readAuthorization', () => {
  test('200: the partner, its purpose, the age of the request, the four characters to compare', async () => {
    const [partner, citizen] = [
      await service.partner({ name: 'Hotel Mabuhay', purpose: 'To register you as a guest.' }),
      await service.citizen(),
    ]
    const { record, expiresAt } = await partner.profiles.requestAuthorization(await citizen.showQr())
    await service.advance(12)
    const { body } = await citizen.app('readAuthorization', { path: { tracking_no: record.tracking_no } })
    expect(body).toMatchObject({
      state: 'PENDING',
      tracking_no_last4: record.tracking_no.slice(-4),
      partner: { partner_code: partner.code, name: 'Hotel Mabuhay', purpose: 'To register you as a guest.' },
      expires_at: expiresAt!.toISOString(),
      answered_at: null,
    })
    expect(body.age_seconds).toBeGreaterThanOrEqual(12)
    expect(body.shares.toSorted()).toEqual(
      Object.keys(citizen.profile)
        .filter((field) => field !== 'postal')
        .toSorted(),
    )
  })

  test("404: another citizen's record is treated as an unknown one", async () => {
    const [partner, citizen, other] = [
      await service.partner(),
      await service.citizen(),
      await service.citizen(),
    ]
    const { record } = await partner.profiles.requestAuthorization(await citizen.showQr())
    expect(
      (await refusal(other.app('readAuthorization', { path: { tracking_no: record.tracking_no } }))).code,
    ).toBe('tracking_no_not_found')
  })
})
