import { sql } from 'kysely'
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

  test('200: answered_at is the time of the answer, and null if the citizen did not answer', async () => {
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    const request = async () =>
      (await partner.profiles.requestAuthorization(await citizen.showQr())).record.tracking_no
    const read = async (tracking_no: string) => {
      const { body } = await citizen.app('readAuthorization', { path: { tracking_no } })
      return [body.state, body.answered_at]
    }
    const [cancelled, revoked, expired] = [await request(), await request(), await request()]
    await partner.profiles.cancelAuthorization(cancelled)
    const { body: accepted } = await citizen.accept(revoked)
    await service.advance(1)
    await citizen.revoke(revoked)
    expect(await read(cancelled)).toEqual(['CANCELLED', null])
    expect(await read(revoked)).toEqual(['REVOKED', accepted.answered_at])
    await service.advance(3_600)
    expect(await read(expired)).toEqual(['EXPIRED', null])
    // The same when the worker has stored the end of the record.
    const storedState = async () => {
      const { rows } = await sql<{ state: string }>`
        select state from authorization_record where tracking_no = ${expired}`.execute(service.db)
      return rows[0]!.state
    }
    await expect.poll(storedState).toBe('EXPIRED')
    expect(await read(expired)).toEqual(['EXPIRED', null])
    const { record: viewed } = await partner.profiles.profileByQr(await citizen.showQr('share'))
    const [, shownAt] = await read(viewed.tracking_no)
    expect(shownAt).not.toBeNull()
    await service.advance(1)
    await citizen.revoke(viewed.tracking_no)
    expect(await read(viewed.tracking_no)).toEqual(['REVOKED', shownAt])
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
