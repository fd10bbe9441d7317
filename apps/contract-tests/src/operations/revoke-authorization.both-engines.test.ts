import { describe, expect, test } from 'vitest'
import { refusal, startServiceForFile, type TestService } from '../kit/test-service.ts'

const service = await startServiceForFile()

/** A record with a profile, created by requestAuthorization or by profileByQr. */
const WAYS = [
  [
    'accepted',
    async (
      partner: Awaited<ReturnType<TestService['partner']>>,
      citizen: Awaited<ReturnType<TestService['citizen']>>,
    ) => {
      const { record } = await partner.profiles.requestAuthorization(await citizen.showQr())
      await citizen.accept(record.tracking_no)
      return (await partner.profiles.inquire(record.tracking_no)).record
    },
  ],
  [
    'viewed',
    async (
      partner: Awaited<ReturnType<TestService['partner']>>,
      citizen: Awaited<ReturnType<TestService['citizen']>>,
    ) => (await partner.profiles.profileByQr(await citizen.showQr('share'))).record,
  ],
] as const

describe('revokeAuthorization', () => {
  test.each(WAYS)(
    '200: a revoked %s record no longer gives the profile, and the copy of the profile is deleted',
    async (_, open) => {
      const partner = await service.partner({ callback_url: 'https://hotel.example/callback' })
      const citizen = await service.citizen()
      const given = await open(partner, citizen)
      const copies = () =>
        service.countRows(
          `authorization_record where tracking_no = '${given.tracking_no}' and snapshot is not null`,
        )
      expect(await copies()).toEqual([1])
      const { body } = await citizen.revoke(given.tracking_no)
      expect(body.state).toBe('REVOKED')
      expect((await citizen.revoke(given.tracking_no)).body.answered_at).toBe(body.answered_at)
      const after = await partner.profiles.inquire(given.tracking_no)
      expect(after).toMatchObject({ state: 'REVOKED', record: { ...given, is_accepted: 0, response: null } })
      expect(await copies()).toEqual([0])
    },
  )

  test.each(WAYS)('200: also after the profile of the %s record can no longer be read', async (_, open) => {
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    const { tracking_no } = await open(partner, citizen)
    await service.advance(3_600)
    expect((await refusal(partner.profiles.inquire(tracking_no))).code).toBe('result_expired')
    expect((await citizen.revoke(tracking_no)).body.state).toBe('REVOKED')
    expect((await partner.profiles.inquire(tracking_no)).state).toBe('REVOKED')
  })

  test('409: a record that was neither accepted nor shared cannot be revoked', async () => {
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    const { record } = await partner.profiles.requestAuthorization(await citizen.showQr())
    expect((await refusal(citizen.revoke(record.tracking_no))).code).toBe('authorization_not_pending')
    expect((await partner.profiles.inquire(record.tracking_no)).state).toBe('PENDING')
  })

  test("404: another citizen's record is treated as an unknown one", async () => {
    const [partner, citizen, otherCitizen] = [
      await service.partner(),
      await service.citizen(),
      await service.citizen(),
    ]
    const { record } = await partner.profiles.profileByQr(await citizen.showQr('share'))
    expect((await refusal(otherCitizen.revoke(record.tracking_no))).code).toBe('tracking_no_not_found')
    expect((await partner.profiles.inquire(record.tracking_no)).state).toBe('VIEWED')
  })

  test('422: the QR value of a revoked record, sent again', async () => {
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    const qrValue = await citizen.showQr('share')
    const { record } = await partner.profiles.profileByQr(qrValue)
    await citizen.revoke(record.tracking_no)
    expect((await refusal(partner.profiles.profileByQr(qrValue))).code).toBe('qr_value_invalid')
  })
})
