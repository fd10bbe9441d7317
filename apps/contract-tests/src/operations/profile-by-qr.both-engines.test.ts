import { describe, expect, test } from 'vitest'
import { comparable, errorBody } from '../kit/error-body.ts'
import { QR_VALUE_INVALID, testQrValues } from '../kit/qr-value-tests.ts'
import { ENVELOPE_FIELDS, fieldsOf, PROFILE_FIELDS, RECORD_FIELDS } from '../kit/specification-fields.ts'
import { refusal, startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile()
testQrValues(service, 'profileByQr')

/** A partner, a citizen and a QR value for sharing. */
async function shown() {
  const [partner, citizen] = [await service.partner(), await service.citizen()]
  const qrValue = await citizen.showQr('share')
  return { partner, citizen, qrValue }
}

describe('profileByQr', () => {
  test('200: a viewed record has the profile with exactly the documented fields', async () => {
    const [partner, citizen] = [
      await service.partner({ callback_url: 'https://partner.example/callback' }),
      await service.citizen(),
    ]
    const qrValue = await citizen.showQr('share')
    const response = await service.send('profileByQr', {
      headers: partner.headers,
      query: `qr_value=${qrValue}`,
    })
    const body = (await response.json()) as { data: { id: number; tracking_no: string; response: object } }
    expect([fieldsOf(body), fieldsOf(body.data), fieldsOf(body.data.response)]).toEqual([
      ENVELOPE_FIELDS,
      RECORD_FIELDS,
      PROFILE_FIELDS,
    ])
    const { id, tracking_no } = body.data
    const viewed = {
      pcn: '-',
      scope: 'PROFILE_VIEW',
      callback_url: 'https://partner.example/callback',
      is_accepted: null,
      accepted_at: null,
    }
    expect(body).toEqual({
      status: 200,
      message: 'OK',
      data: {
        id,
        tracking_no,
        ...viewed,
        payload: { qr_value: qrValue },
        response: { ...citizen.profile, postal: null },
      },
    })
    const values = ['x-authorization-state', 'x-time-zone', 'x-authorization-expires-at', 'retry-after'].map(
      (name) => response.headers.get(name),
    )
    expect(values).toEqual(['VIEWED', 'Asia/Manila', null, null])
  })

  test('200: callback_url is null where none is registered', async () => {
    const { partner, qrValue } = await shown()
    expect((await partner.profiles.profileByQr(qrValue)).record.callback_url).toBeNull()
  })

  test('200: each QR value creates its own record', async () => {
    const { partner, citizen, qrValue } = await shown()
    const [one, two] = [
      await partner.profiles.profileByQr(qrValue),
      await partner.profiles.profileByQr(await citizen.showQr('share')),
    ]
    expect(one.record.tracking_no).not.toBe(two.record.tracking_no)
    expect(one.record.id).not.toBe(two.record.id)
  })

  test.each([
    { what: 'no qr_value', query: '' },
    { what: 'an empty qr_value', query: 'qr_value=' },
    { what: 'a qr_value of 257 characters', query: `qr_value=${'T'.repeat(257)}` },
  ])('422: $what', async ({ query }) => {
    const { headers } = await service.partner()
    const refused = await errorBody(await service.send('profileByQr', { headers, query }))
    expect(refused).toMatchObject({ status: 422, error: 'validation_failed' })
    expect(Object.keys(refused.errors!)).toEqual(['qr_value'])
  })

  test('422: a QR value with the purpose inquire, which is not used', async () => {
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    const qrValue = await citizen.showQr('inquire')
    expect(await refusal(partner.profiles.profileByQr(qrValue))).toMatchObject(QR_VALUE_INVALID)
    expect((await partner.profiles.requestAuthorization(qrValue)).state).toBe('PENDING')
  })

  test('422: a QR value for sharing that requestAuthorization used', async () => {
    const { partner, citizen, qrValue } = await shown()
    const { record } = await partner.profiles.requestAuthorization(qrValue)
    expect(await refusal(partner.profiles.profileByQr(qrValue))).toMatchObject(QR_VALUE_INVALID)
    await citizen.accept(record.tracking_no)
    expect(await refusal(partner.profiles.profileByQr(qrValue))).toMatchObject(QR_VALUE_INVALID)
  })

  test('422: malformed, unknown, used, expired, wrong-purpose and foreign values: one response', async () => {
    const { partner, citizen, qrValue: used } = await shown()
    const [another, expired] = [await service.partner(), await citizen.showQr('share')]
    await partner.profiles.profileByQr(used)
    await service.advance(60)
    const [foreign, asking] = [await citizen.showQr('share'), await citizen.showQr('inquire')]
    await another.profiles.profileByQr(foreign)
    const refused = [
      'junk',
      `TWQ1${'0'.repeat(32)}`,
      used,
      expired,
      foreign,
      asking,
      foreign.toLowerCase(),
      'a&b=c/d?e+f',
    ]
    const responses = await Promise.all(
      refused.map(async (value) =>
        comparable(
          await service.send('profileByQr', {
            headers: partner.headers,
            query: `qr_value=${encodeURIComponent(value)}`,
          }),
        ),
      ),
    )
    expect(responses).toEqual(responses.map(() => responses[0]))
  })
})
