// The tests that requestAuthorization and profileByQr share: each uses up a QR value.
import { describe, expect, test } from 'vitest'
import { refusal, type TestService } from './test-service.ts'
import type { Partner } from './users.ts'

const OPERATIONS = {
  requestAuthorization: { purpose: 'inquire', state: 'PENDING' },
  profileByQr: { purpose: 'share', state: 'VIEWED' },
} as const

export const QR_VALUE_INVALID = {
  status: 422,
  code: 'qr_value_invalid',
  fields: { qr_value: ['Invalid qr_value'] },
}

/** Defines the tests of one of the two operations. */
export function testQrValues(service: TestService, operation: keyof typeof OPERATIONS): void {
  const { purpose, state } = OPERATIONS[operation]
  const present = ({ profiles }: Partner, qrValue: string) => profiles[operation](qrValue)

  /** A partner, a citizen and a QR value for the operation. */
  async function shown() {
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    return { partner, citizen, qrValue: await citizen.showQr(purpose) }
  }

  describe.each([operation])('%s', () => {
    test('200: a QR value as a scanner gives it, with a line end and in small letters', async () => {
      const { partner, qrValue } = await shown()
      const { record } = await present(partner, `\t${qrValue.toLowerCase()}\r\n`)
      expect((await present(partner, qrValue)).record.tracking_no).toBe(record.tracking_no)
    })

    test('200: a QR value sent again within 30 seconds gives the same record', async () => {
      const { partner, qrValue } = await shown()
      const first = await present(partner, qrValue)
      await service.advance(25)
      expect(await present(partner, qrValue)).toEqual({ ...first, requestId: expect.any(String) })
    })

    test('200: simultaneous duplicates give one record', async () => {
      const { partner, citizen, qrValue } = await shown()
      const responses = await Promise.all(Array.from({ length: 20 }, () => present(partner, qrValue)))
      const { record } = responses[0]!
      for (const response of responses) expect([response.state, response.record]).toEqual([state, record])
      expect((await citizen.app('listAuthorizations', {})).body.authorizations).toMatchObject([
        { state, tracking_no: record.tracking_no },
      ])
    })

    test('422: a QR value that another partner used; that partner keeps its record', async () => {
      const { partner, qrValue } = await shown()
      const another = await service.partner()
      const { record } = await present(another, qrValue)
      expect(await refusal(present(partner, qrValue))).toMatchObject(QR_VALUE_INVALID)
      expect((await present(another, qrValue)).record).toEqual(record)
    })

    test('422: a QR value sent again after 30 seconds', async () => {
      const { partner, qrValue } = await shown()
      await present(partner, qrValue)
      await service.advance(30)
      expect(await refusal(present(partner, qrValue))).toMatchObject(QR_VALUE_INVALID)
    })

    test('422: a QR value is valid after 55 seconds and expired after 60', async () => {
      const { partner, citizen, qrValue } = await shown()
      const late = await citizen.showQr(purpose)
      await service.advance(55)
      expect((await present(partner, qrValue)).state).toBe(state)
      await service.advance(5)
      expect(await refusal(present(partner, late))).toMatchObject(QR_VALUE_INVALID)
    })
  })
}
