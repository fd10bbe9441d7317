import { describe, expect, test } from 'vitest'
import { refusal, startServiceForFile } from '../kit/test-service.ts'
import type { Citizen, Partner } from '../kit/users.ts'

const service = await startServiceForFile()

const QR_VALUE_INVALID = { status: 422, code: 'qr_value_invalid', fields: { qr_value: ['Invalid qr_value'] } }
const REFUSED = { status: 409, code: 'refused_by_preferences' }

/**
 * Two partners and a citizen. `forbid` freezes everything, or blocks the first partner; `lift` removes it.
 */
async function createParticipants(frozen: boolean) {
  const [partner, other, citizen] = [
    await service.partner(),
    await service.partner(),
    await service.citizen(),
  ]
  const disclosed = async () => (await citizen.disclosures()).length
  const forbid = () => citizen.setPreferences(frozen ? { frozen } : { blocked_partners: [partner.code] })
  return { partner, other, citizen, disclosed, forbid, lift: () => citizen.setPreferences({}) }
}

const createPendingRecord = async ({ profiles }: Partner, citizen: Citizen) =>
  (await profiles.requestAuthorization(await citizen.showQr())).record.tracking_no

/** A record with a profile, and the QR value that created it. */
const CREATE_RECORD = {
  requestAuthorization: async ({ profiles }: Partner, citizen: Citizen) => {
    const qrValue = await citizen.showQr()
    const { tracking_no } = (await profiles.requestAuthorization(qrValue)).record
    await citizen.accept(tracking_no)
    return { qrValue, trackingNo: tracking_no, state: 'ACCEPTED' }
  },
  profileByQr: async ({ profiles }: Partner, citizen: Citizen) => {
    const qrValue = await citizen.showQr('share')
    const { tracking_no } = (await profiles.profileByQr(qrValue)).record
    return { qrValue, trackingNo: tracking_no, state: 'VIEWED' }
  },
}
const CONSUMING_OPERATIONS = ['requestAuthorization', 'profileByQr'] as const

describe.each([
  { what: 'everything is frozen', frozen: true },
  { what: 'the partner is blocked', frozen: false },
])('while $what', ({ frozen }) => {
  describe.each(CONSUMING_OPERATIONS)('%s', (id) => {
    test('422: an earlier QR value is treated as unknown, and is not used', async () => {
      const { partner, other, citizen, disclosed, forbid, lift } = await createParticipants(frozen)
      const [forPartner, forOther] = [await citizen.showQr('share'), await citizen.showQr('share')]
      await forbid()
      for (const value of [forPartner, forOther, `TWQ1${'0'.repeat(32)}`])
        expect(await refusal(partner.profiles[id](value))).toMatchObject(QR_VALUE_INVALID)
      expect(await disclosed()).toBe(0)
      await lift()
      expect((await partner.profiles[id](forPartner)).record.tracking_no).toMatch(/./)
      // Another partner sends the value, because the partner that used it would get its record again.
      expect((await other.profiles[id](forOther)).record.tracking_no).toMatch(/./)
    })

    test('422: a QR value sent again gives no profile until the block is lifted', async () => {
      const { partner, citizen, disclosed, forbid, lift } = await createParticipants(frozen)
      const { qrValue, state } = await CREATE_RECORD[id](partner, citizen)
      const before = await disclosed()
      await forbid()
      expect(await refusal(partner.profiles[id](qrValue))).toMatchObject(QR_VALUE_INVALID)
      expect(await disclosed()).toBe(before)
      await lift()
      expect(await partner.profiles[id](qrValue)).toMatchObject({
        state,
        record: { response: { uniqid: citizen.uniqid } },
      })
    })
  })

  describe('inquire', () => {
    test.each(CONSUMING_OPERATIONS)(
      '410: the profile of a record of %s cannot be read until the block is lifted',
      async (id) => {
        const { partner, citizen, disclosed, forbid, lift } = await createParticipants(frozen)
        const { trackingNo, state } = await CREATE_RECORD[id](partner, citizen)
        const before = await disclosed()
        await forbid()
        expect(await refusal(partner.profiles.inquire(trackingNo))).toMatchObject({
          status: 410,
          code: 'result_expired',
        })
        expect(await disclosed()).toBe(before)
        await lift()
        expect(await partner.profiles.inquire(trackingNo)).toMatchObject({
          state,
          record: { response: { uniqid: citizen.uniqid } },
        })
      },
    )

    test('200: a record without a profile can still be read', async () => {
      const { partner, citizen, forbid } = await createParticipants(frozen)
      const trackingNo = await createPendingRecord(partner, citizen)
      await forbid()
      expect((await partner.profiles.inquire(trackingNo)).state).toBe('PENDING')
      await citizen.decline(trackingNo)
      expect((await partner.profiles.inquire(trackingNo)).state).toBe('DECLINED')
    })
  })

  describe('generateToken', () => {
    test('422: an earlier exchange code is treated as unknown, and is not used', async () => {
      const { partner, citizen, disclosed, forbid, lift } = await createParticipants(frozen)
      const code = await citizen.exchangeCode(partner.code)
      await forbid()
      expect(await refusal(partner.sso.generateToken(code))).toMatchObject({
        status: 422,
        code: 'exchange_code_invalid',
      })
      // A used code that is sent again more than a second later would revoke its token.
      await service.advance(1.5)
      expect(await refusal(partner.sso.generateToken(code))).toMatchObject({
        status: 422,
        code: 'exchange_code_invalid',
      })
      await lift()
      expect([(await partner.sso.signIn(code)).uniqid, await disclosed()]).toEqual([citizen.uniqid, 1])
    })
  })

  describe('authenticate', () => {
    test('401: an earlier token is treated as unknown, and is not used', async () => {
      const { partner, citizen, disclosed, forbid, lift } = await createParticipants(frozen)
      const token = await partner.sso.generateToken(await citizen.exchangeCode(partner.code))
      await forbid()
      expect(await refusal(partner.sso.authenticate(token))).toMatchObject({
        status: 401,
        code: 'token_invalid',
      })
      expect(await disclosed()).toBe(0)
      await lift()
      expect([(await partner.sso.authenticate(token)).uniqid, await disclosed()]).toEqual([citizen.uniqid, 1])
    })
  })

  describe('acceptAuthorization', () => {
    test('409: a pending record cannot be accepted until the block is lifted', async () => {
      const { partner, citizen, forbid, lift } = await createParticipants(frozen)
      const trackingNo = await createPendingRecord(partner, citizen)
      await forbid()
      expect(await refusal(citizen.accept(trackingNo))).toMatchObject(REFUSED)
      expect((await partner.profiles.inquire(trackingNo)).state).toBe('PENDING')
      await lift()
      expect((await citizen.accept(trackingNo)).body.state).toBe('ACCEPTED')
    })

    test('409: a record that has ended has its own error code', async () => {
      const { partner, citizen, forbid } = await createParticipants(frozen)
      const trackingNo = await createPendingRecord(partner, citizen)
      await citizen.decline(trackingNo)
      await forbid()
      expect(await refusal(citizen.accept(trackingNo))).toMatchObject({
        status: 409,
        code: 'authorization_not_pending',
      })
    })
  })

  test('200: the citizen can still decline and revoke', async () => {
    const { partner, citizen, forbid } = await createParticipants(frozen)
    const pending = await createPendingRecord(partner, citizen)
    const record = await CREATE_RECORD.requestAuthorization(partner, citizen)
    await forbid()
    expect((await citizen.decline(pending)).body.state).toBe('DECLINED')
    expect((await citizen.revoke(record.trackingNo)).body.state).toBe('REVOKED')
  })
})
