import { describe, expect, test } from 'vitest'
import { refusal, startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile()

const find = async (tracking_no: string) =>
  (await service.operator('findAuthorizations', { path: { tracking_no } })).body.authorizations

describe('findAuthorizations', () => {
  test('200: the partner and the state of the record, without data of the citizen', async () => {
    const { partner, citizen, trackingNo } = await service.pending()
    const [pending] = await find(trackingNo)
    expect(pending).toMatchObject({
      tracking_no: trackingNo,
      partner_code: partner.code,
      scope: 'PROFILE_INQUIRE',
      state: 'PENDING',
    })
    expect(Date.parse(pending!.expires_at!) - Date.parse(pending!.requested_at)).toBeLessThanOrEqual(300_001)
    await citizen.accept(trackingNo)
    const accepted = await find(trackingNo)
    expect(accepted).toMatchObject([{ state: 'ACCEPTED', accepted_at: accepted[0]!.ended_at }])
    expect(accepted[0]!.accepted_at).toEqual(expect.any(String))
    for (const word of Object.values(citizen.profile).filter(
      (value) => typeof value === 'string' && value.length > 3,
    ))
      expect(JSON.stringify(accepted)).not.toContain(word)
  })

  test('200: a viewed, a declined and an expired record', async () => {
    const { partner, citizen, trackingNo } = await service.pending()
    const { record } = await partner.profiles.profileByQr(await citizen.showQr('share'))
    expect(await find(record.tracking_no)).toMatchObject([
      { scope: 'PROFILE_VIEW', state: 'VIEWED', accepted_at: null, expires_at: null },
    ])
    const declined = await service.pending()
    await declined.citizen.decline(declined.trackingNo)
    expect(await find(declined.trackingNo)).toMatchObject([
      { state: 'DECLINED', accepted_at: null, ended_at: expect.any(String) },
    ])
    await service.advance(301)
    const [expired] = await find(trackingNo)
    expect([expired!.state, expired!.ended_at]).toEqual(['EXPIRED', expired!.expires_at])
  })

  test('404: an unknown tracking number', async () => {
    for (const trackingNo of ['unknown', '7M3K9QXV4T0HB2ZJ6WFE8RC5ND'])
      expect((await refusal(find(trackingNo))).code).toBe('tracking_no_not_found')
  })
})
