import { describe, expect, test } from 'vitest'
import { comparable, errorBody } from '../kit/error-body.ts'
import { ENVELOPE_FIELDS, fieldsOf, PROFILE_FIELDS, RECORD_FIELDS } from '../kit/specification-fields.ts'
import { refusal, startServiceForFile } from '../kit/test-service.ts'

const NOT_FOUND = { status: 404, code: 'tracking_no_not_found' }

const service = await startServiceForFile()

/** A partner, a citizen and their pending record. */
async function createPendingRecord() {
  const [partner, citizen] = [await service.partner(), await service.citizen()]
  const { record } = await partner.profiles.requestAuthorization(await citizen.showQr())
  return {
    partner,
    citizen,
    record,
    trackingNo: record.tracking_no,
    query: `tracking_no=${record.tracking_no}`,
  }
}

describe('inquire', () => {
  test('200: a pending record equals the response to its request', async () => {
    const { partner, record, trackingNo } = await createPendingRecord()
    const pending = await partner.profiles.inquire(trackingNo)
    expect(pending.record).toEqual(record)
    expect([pending.record.is_accepted, pending.record.accepted_at, pending.record.response]).toEqual([
      null,
      null,
      null,
    ])
    expect({ ...pending, record: undefined, requestId: undefined }).toMatchObject({
      state: 'PENDING',
      retryAfterSeconds: 1,
      expiresAt: expect.any(Date),
      timeZone: 'Asia/Manila',
    })
  })

  test('200: an accepted record has the profile with exactly the documented fields', async () => {
    const { partner, citizen, record, trackingNo, query } = await createPendingRecord()
    await citizen.accept(trackingNo)
    const response = await service.send('inquire', { headers: partner.headers, query })
    const body = (await response.json()) as { data: { accepted_at: string; response: object } }
    expect([fieldsOf(body), fieldsOf(body.data), fieldsOf(body.data.response)]).toEqual([
      ENVELOPE_FIELDS,
      RECORD_FIELDS,
      PROFILE_FIELDS,
    ])
    const { accepted_at } = body.data
    expect(body).toEqual({
      status: 200,
      message: 'OK',
      data: { ...record, is_accepted: 1, accepted_at, response: { ...citizen.profile, postal: null } },
    })
    const values = ['x-authorization-state', 'x-time-zone', 'x-authorization-expires-at', 'retry-after'].map(
      (name) => response.headers.get(name),
    )
    expect(values).toEqual(['ACCEPTED', 'Asia/Manila', null, null])
  })

  test('200: accepted_at is in the local time of Asia/Manila', async () => {
    const { partner, citizen, trackingNo } = await createPendingRecord()
    const { body } = await citizen.accept(trackingNo)
    const { accepted_at } = (await partner.profiles.inquire(trackingNo)).record
    expect(accepted_at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    expect(
      Math.abs(Date.parse(`${accepted_at!.replace(' ', 'T')}+08:00`) - Date.parse(body.answered_at!)),
    ).toBeLessThanOrEqual(1_000)
  })

  test('200: the profile is a snapshot of the time of acceptance', async () => {
    const { partner, citizen, trackingNo } = await createPendingRecord()
    await citizen.accept(trackingNo)
    await service.operator('upsertCitizen', {
      path: { uniqid: citizen.uniqid },
      body: { profile: { ...citizen.profile, last_name: 'Changed' }, passport: null },
    })
    expect((await partner.profiles.inquire(trackingNo)).record.response?.last_name).toBe(
      citizen.profile.last_name,
    )
  })

  test('200: nullable fields without a value are null', async () => {
    const [partner, citizen] = [
      await service.partner(),
      await service.citizen({ middle_name: null, suffix: null, foreign_address: null, postal: null }),
    ]
    const { record } = await partner.profiles.requestAuthorization(await citizen.showQr())
    await citizen.accept(record.tracking_no)
    const { response } = (await partner.profiles.inquire(record.tracking_no)).record
    expect(response).toMatchObject({ middle_name: null, suffix: null, foreign_address: null, postal: null })
  })

  test('200: a declined record has no profile', async () => {
    const { partner, citizen, record, trackingNo } = await createPendingRecord()
    await citizen.decline(trackingNo)
    const declined = await partner.profiles.inquire(trackingNo)
    expect(declined.record).toEqual({ ...record, is_accepted: 0 })
    expect([declined.state, declined.expiresAt, declined.retryAfterSeconds]).toEqual([
      'DECLINED',
      undefined,
      undefined,
    ])
  })

  test('200: without a decision of the citizen the record expires after 300 seconds', async () => {
    const { partner, citizen, record, trackingNo } = await createPendingRecord()
    await service.advance(295)
    expect((await partner.profiles.inquire(trackingNo)).state).toBe('PENDING')
    await service.advance(5)
    const expired = await partner.profiles.inquire(trackingNo)
    expect([expired.state, expired.record]).toEqual(['EXPIRED', { ...record, is_accepted: 0 }])
    expect((await refusal(citizen.accept(trackingNo))).code).toBe('authorization_not_pending')
  })

  test('200: a profile-by-QR record equals the response of profileByQr', async () => {
    const [partner, citizen] = [
      await service.partner({ callback_url: 'https://partner.example/callback' }),
      await service.citizen(),
    ]
    const viewed = await partner.profiles.profileByQr(await citizen.showQr('share'))
    const again = await partner.profiles.inquire(viewed.record.tracking_no)
    expect([again.state, again.record]).toEqual(['VIEWED', viewed.record])
  })

  test('404: an unknown tracking number', async () => {
    const { partner, trackingNo } = await createPendingRecord()
    for (const unknown of [
      '0'.repeat(26),
      trackingNo.toLowerCase(),
      trackingNo.slice(0, -1),
      `${trackingNo} `,
      '%',
    ])
      expect(await refusal(partner.profiles.inquire(unknown))).toMatchObject(NOT_FOUND)
  })

  test('404: for another partner the record is like an unknown one, in any state', async () => {
    const { citizen, trackingNo } = await createPendingRecord()
    const { headers } = await service.partner()
    const read = async (number: string) =>
      comparable(await service.send('inquire', { headers, query: `tracking_no=${number}` }))
    const unknown = await read('0'.repeat(26))
    expect(JSON.parse(unknown.body)).toMatchObject({ status: 404, error: 'tracking_no_not_found' })
    expect(await read(trackingNo)).toEqual(unknown)
    await citizen.accept(trackingNo)
    expect(await read(trackingNo)).toEqual(unknown)
    const { record } = await (await service.partner()).profiles.profileByQr(await citizen.showQr('share'))
    expect(await read(record.tracking_no)).toEqual(unknown)
  })

  test('410: an accepted profile can be read for 3,600 seconds', async () => {
    const { partner, citizen, trackingNo } = await createPendingRecord()
    await citizen.accept(trackingNo)
    await service.advance(3_590)
    expect((await partner.profiles.inquire(trackingNo)).state).toBe('ACCEPTED')
    await service.advance(10)
    expect(await refusal(partner.profiles.inquire(trackingNo))).toMatchObject({
      status: 410,
      code: 'result_expired',
    })
  })

  test('410: a profile of profileByQr can be read for 3,600 seconds', async () => {
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    const { record } = await partner.profiles.profileByQr(await citizen.showQr('share'))
    await service.advance(3_600)
    expect(await refusal(partner.profiles.inquire(record.tracking_no))).toMatchObject({
      status: 410,
      code: 'result_expired',
    })
  })

  test.each([
    { what: 'no tracking_no', query: '' },
    { what: 'an empty tracking_no', query: 'tracking_no=' },
    { what: 'a tracking_no of 65 characters', query: `tracking_no=${'0'.repeat(65)}` },
  ])('422: $what', async ({ query }) => {
    const { headers } = await service.partner()
    const refused = await errorBody(await service.send('inquire', { headers, query }))
    expect(refused).toMatchObject({ status: 422, error: 'validation_failed' })
    expect(Object.keys(refused.errors!)).toEqual(['tracking_no'])
  })
})
