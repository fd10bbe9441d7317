import { describe, expect, test } from 'vitest'
import { BODY_FORMS, json } from '../kit/body-forms.ts'
import { comparable, errorBody } from '../kit/error-body.ts'
import { ENVELOPE_FIELDS, fieldsOf, RECORD_FIELDS } from '../kit/specification-fields.ts'
import { refusal, startServiceForFile } from '../kit/test-service.ts'
import type { Partner } from '../kit/users.ts'

const INVALID = { status: 422, code: 'qr_value_invalid', fields: { qr_value: ['Invalid qr_value'] } }

const service = await startServiceForFile()

const createPair = async () => ({ partner: await service.partner(), citizen: await service.citizen() })
const ask = (partner: Partner, qrValue: string) => {
  const { body, headers } = json({ qr_value: qrValue })
  return service.send('requestAuthorization', { body, headers: { ...partner.headers, ...headers } })
}

describe('requestAuthorization', () => {
  test('200: a pending record with exactly the documented fields', async () => {
    const partner = await service.partner({ callback_url: 'https://partner.example/callback' })
    const citizen = await service.citizen()
    const qrValue = await citizen.showQr()
    const body = (await (await ask(partner, qrValue)).json()) as { data: object }
    expect([fieldsOf(body), fieldsOf(body.data)]).toEqual([ENVELOPE_FIELDS, RECORD_FIELDS])
    const pending = { is_accepted: null, accepted_at: null, response: null }
    const asked = {
      pcn: citizen.uniqid,
      scope: 'PROFILE_INQUIRE',
      callback_url: null,
      payload: { qr_value: qrValue },
    }
    expect(body).toMatchObject({ status: 200, message: 'OK', data: { ...asked, ...pending } })
  })

  test('200: the headers hold the state, the time zone, the expiry and when to ask again', async () => {
    const { partner, citizen } = await createPair()
    const { record, state, timeZone, retryAfterSeconds, expiresAt } =
      await partner.profiles.requestAuthorization(await citizen.showQr())
    expect({ state, timeZone, retryAfterSeconds }).toEqual({
      state: 'PENDING',
      timeZone: 'Asia/Manila',
      retryAfterSeconds: 1,
    })
    const { body } = await citizen.app('readAuthorization', { path: { tracking_no: record.tracking_no } })
    expect(expiresAt?.toISOString()).toBe(body.expires_at)
    expect(Math.abs(expiresAt!.getTime() - Date.parse(body.requested_at) - 300_000)).toBeLessThan(1_000)
  })

  test.each(BODY_FORMS)('200: a body of $type is accepted', async ({ init }) => {
    const { partner, citizen } = await createPair()
    const { body, headers } = init({ qr_value: await citizen.showQr() })
    const response = await service.send('requestAuthorization', {
      body,
      headers: { ...partner.headers, ...headers },
    })
    expect(response.headers.get('x-authorization-state')).toBe('PENDING')
  })

  test('200: a QR value with the purpose share is accepted', async () => {
    const { partner, citizen } = await createPair()
    const { record, state } = await partner.profiles.requestAuthorization(await citizen.showQr('share'))
    expect([state, record.response]).toEqual(['PENDING', null])
  })

  test('200: a QR value as a scanner gives it, with a line end and in small letters', async () => {
    const { partner, citizen } = await createPair()
    const qrValue = await citizen.showQr()
    const { record } = await partner.profiles.requestAuthorization(`\t${qrValue.toLowerCase()}\r\n`)
    expect((await partner.profiles.requestAuthorization(qrValue)).record.tracking_no).toBe(record.tracking_no)
  })

  test('200: a QR value sent again within 30 seconds gives the same record', async () => {
    const { partner, citizen } = await createPair()
    const qrValue = await citizen.showQr()
    const first = await partner.profiles.requestAuthorization(qrValue)
    await service.advance(25)
    const again = await partner.profiles.requestAuthorization(qrValue)
    expect([again.record, again.state, again.expiresAt]).toEqual([first.record, first.state, first.expiresAt])
  })

  test('200: a QR value sent again after the decision gives the current record', async () => {
    const { partner, citizen } = await createPair()
    const [yes, no] = [await citizen.showQr(), await citizen.showQr()]
    await citizen.accept((await partner.profiles.requestAuthorization(yes)).record.tracking_no)
    await citizen.decline((await partner.profiles.requestAuthorization(no)).record.tracking_no)
    const [accepted, declined] = [
      await partner.profiles.requestAuthorization(yes),
      await partner.profiles.requestAuthorization(no),
    ]
    expect(accepted).toMatchObject({
      state: 'ACCEPTED',
      record: { is_accepted: 1, response: { ...citizen.profile, postal: null } },
    })
    expect(declined).toMatchObject({ state: 'DECLINED', record: { is_accepted: 0, response: null } })
  })

  test('200: simultaneous duplicates give one record', async () => {
    const { partner, citizen } = await createPair()
    const qrValue = await citizen.showQr()
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => partner.profiles.requestAuthorization(qrValue)),
    )
    for (const { record } of responses) expect(record).toEqual(responses[0]!.record)
    const { body } = await citizen.app('listAuthorizations', {})
    expect(body.authorizations).toHaveLength(1)
  })

  test.each([
    { what: 'no qr_value', fields: {}, field: 'qr_value' },
    { what: 'an empty qr_value', fields: { qr_value: '' }, field: 'qr_value' },
    { what: 'a qr_value that is a number', fields: { qr_value: 5 }, field: 'qr_value' },
    { what: 'a qr_value of null', fields: { qr_value: null }, field: 'qr_value' },
    { what: 'a qr_value of 257 characters', fields: { qr_value: 'T'.repeat(257) }, field: 'qr_value' },
    { what: 'an array', fields: [], field: 'body' },
    { what: 'null', fields: null, field: 'body' },
  ])('422: $what', async ({ fields, field }) => {
    const partner = await service.partner()
    const { body, headers } = json(fields)
    const refused = await errorBody(
      await service.send('requestAuthorization', { body, headers: { ...headers, ...partner.headers } }),
    )
    expect(refused).toMatchObject({ status: 422, error: 'validation_failed' })
    expect(Object.keys(refused.errors!)).toEqual([field])
  })

  test('422: a QR value sent again after 30 seconds', async () => {
    const { partner, citizen } = await createPair()
    const qrValue = await citizen.showQr()
    await partner.profiles.requestAuthorization(qrValue)
    await service.advance(30)
    expect(await refusal(partner.profiles.requestAuthorization(qrValue))).toMatchObject(INVALID)
  })

  test('422: a QR value is valid after 55 seconds and expired after 60', async () => {
    const { partner, citizen } = await createPair()
    const [early, late] = [await citizen.showQr(), await citizen.showQr()]
    await service.advance(55)
    expect((await partner.profiles.requestAuthorization(early)).state).toBe('PENDING')
    await service.advance(5)
    expect(await refusal(partner.profiles.requestAuthorization(late))).toMatchObject(INVALID)
  })

  test('422: a QR value that another partner used; that partner keeps its record', async () => {
    const { partner, citizen } = await createPair()
    const another = await service.partner()
    const qrValue = await citizen.showQr()
    const { record } = await another.profiles.requestAuthorization(qrValue)
    expect(await refusal(partner.profiles.requestAuthorization(qrValue))).toMatchObject(INVALID)
    expect((await another.profiles.requestAuthorization(qrValue)).record).toEqual(record)
  })

  test('422: a QR value that profileByQr used', async () => {
    const { partner, citizen } = await createPair()
    const qrValue = await citizen.showQr('share')
    await partner.profiles.profileByQr(qrValue)
    expect(await refusal(partner.profiles.requestAuthorization(qrValue))).toMatchObject(INVALID)
  })

  test("422: malformed, unknown, used, expired, another partner's values: the same response", async () => {
    const { partner, citizen } = await createPair()
    const another = await service.partner()
    const [used, expired] = [await citizen.showQr(), await citizen.showQr()]
    await partner.profiles.requestAuthorization(used)
    await service.advance(60)
    const foreign = await citizen.showQr()
    await another.profiles.requestAuthorization(foreign)
    const refused = ['junk', `TWQ1${'0'.repeat(32)}`, used, expired, foreign, foreign.toLowerCase()]
    const responses = await Promise.all(
      refused.map(async (qrValue) => comparable(await ask(partner, qrValue))),
    )
    expect(responses).toEqual(responses.map(() => responses[0]))
  })
})
