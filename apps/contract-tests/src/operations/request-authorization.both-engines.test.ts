import { describe, expect, test } from 'vitest'
import { BODY_FORMS, json } from '../kit/body-forms.ts'
import { comparable, errorBody } from '../kit/error-body.ts'
import { QR_VALUE_INVALID, testQrValues } from '../kit/qr-value-tests.ts'
import { ENVELOPE_FIELDS, fieldsOf, RECORD_FIELDS } from '../kit/specification-fields.ts'
import { refusal, startServiceForFile } from '../kit/test-service.ts'
import type { Partner } from '../kit/users.ts'

const service = await startServiceForFile()
testQrValues(service, 'requestAuthorization')

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

  test('200: the record has the QR value as it was issued, not as the scanner gave it', async () => {
    const { partner, citizen } = await createPair()
    const qrValue = await citizen.showQr()
    const { record } = await partner.profiles.requestAuthorization(` ${qrValue.toLowerCase()}\n`)
    expect(record.payload).toEqual({ qr_value: qrValue })
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

  test('422: a QR value that profileByQr used', async () => {
    const { partner, citizen } = await createPair()
    const qrValue = await citizen.showQr('share')
    await partner.profiles.profileByQr(qrValue)
    expect(await refusal(partner.profiles.requestAuthorization(qrValue))).toMatchObject(QR_VALUE_INVALID)
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
