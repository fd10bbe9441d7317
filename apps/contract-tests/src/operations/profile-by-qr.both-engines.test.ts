import { describe, expect, test } from 'vitest'
import { comparable, errorBody } from '../kit/error-body.ts'
import { ENVELOPE_FIELDS, fieldsOf, PROFILE_FIELDS, RECORD_FIELDS } from '../kit/specification-fields.ts'
import { refusal, startServiceForFile } from '../kit/test-service.ts'

const INVALID = { status: 422, code: 'qr_value_invalid', fields: { qr_value: ['Invalid qr_value'] } }

const service = await startServiceForFile()

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

  test('200: a QR value as a scanner gives it, with a line end and in small letters', async () => {
    const { partner, qrValue } = await shown()
    const { record } = await partner.profiles.profileByQr(`\t${qrValue.toLowerCase()}\r\n`)
    expect((await partner.profiles.profileByQr(qrValue)).record.tracking_no).toBe(record.tracking_no)
  })

  test('200: a QR value sent again within 30 seconds gives the same record', async () => {
    const { partner, qrValue } = await shown()
    const first = await partner.profiles.profileByQr(qrValue)
    await service.advance(25)
    expect((await partner.profiles.profileByQr(qrValue)).record).toEqual(first.record)
  })

  test('200: simultaneous duplicates give one record', async () => {
    const { partner, citizen, qrValue } = await shown()
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => partner.profiles.profileByQr(qrValue)),
    )
    for (const { record, state } of responses)
      expect([state, record]).toEqual(['VIEWED', responses[0]!.record])
    expect((await citizen.app('listAuthorizations', {})).body.authorizations).toMatchObject([
      { state: 'VIEWED', tracking_no: responses[0]!.record.tracking_no },
    ])
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
    expect(await refusal(partner.profiles.profileByQr(qrValue))).toMatchObject(INVALID)
    expect((await partner.profiles.requestAuthorization(qrValue)).state).toBe('PENDING')
  })

  test('422: a QR value for sharing that requestAuthorization used', async () => {
    const { partner, citizen, qrValue } = await shown()
    const { record } = await partner.profiles.requestAuthorization(qrValue)
    expect(await refusal(partner.profiles.profileByQr(qrValue))).toMatchObject(INVALID)
    await citizen.accept(record.tracking_no)
    expect(await refusal(partner.profiles.profileByQr(qrValue))).toMatchObject(INVALID)
  })

  test('422: a QR value that another partner used; that partner keeps its record', async () => {
    const { partner, qrValue } = await shown()
    const another = await service.partner()
    const { record } = await another.profiles.profileByQr(qrValue)
    expect(await refusal(partner.profiles.profileByQr(qrValue))).toMatchObject(INVALID)
    expect((await another.profiles.profileByQr(qrValue)).record).toEqual(record)
  })

  test('422: a QR value sent again after 30 seconds', async () => {
    const { partner, qrValue } = await shown()
    await partner.profiles.profileByQr(qrValue)
    await service.advance(30)
    expect(await refusal(partner.profiles.profileByQr(qrValue))).toMatchObject(INVALID)
  })

  test('422: a QR value is valid after 55 seconds and expired after 60', async () => {
    const { partner, citizen, qrValue } = await shown()
    const late = await citizen.showQr('share')
    await service.advance(55)
    expect((await partner.profiles.profileByQr(qrValue)).state).toBe('VIEWED')
    await service.advance(5)
    expect(await refusal(partner.profiles.profileByQr(late))).toMatchObject(INVALID)
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
