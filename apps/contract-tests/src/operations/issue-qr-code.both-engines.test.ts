import { describe, expect, test } from 'vitest'
import { refusal, startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile()

const REFUSED = { status: 409, code: 'refused_by_preferences' }

describe('issueQrCode', () => {
  test('201: a new value for each request, to be refreshed at half of its lifetime', async () => {
    const citizen = await service.citizen()
    const [first, second] = [
      await citizen.app('issueQrCode', { body: { purpose: 'inquire' } }),
      await citizen.app('issueQrCode', { body: { purpose: 'share' } }),
    ]
    expect(first.body.qr_value).not.toBe(second.body.qr_value)
    expect(Date.parse(first.body.expires_at) - Date.parse(first.body.refresh_at)).toBe(30_000)
  })

  test('201: the value is stored only as a keyed hash', async () => {
    const citizen = await service.citizen()
    const qrValue = await citizen.showQr()
    expect(await service.dumpDatabase()).not.toContain(qrValue)
  })

  describe('for one partner', () => {
    async function issueFor(purpose: 'inquire' | 'share') {
      const [partner, other, citizen] = [
        await service.partner(),
        await service.partner(),
        await service.citizen(),
      ]
      const body = { purpose, partner_code: partner.code }
      return { partner, other, citizen, qrValue: (await citizen.app('issueQrCode', { body })).body.qr_value }
    }

    test('201: another partner is refused as with an unknown value, and uses nothing up', async () => {
      const { partner, other, qrValue } = await issueFor('share')
      const unknown = `TWQ1${'0'.repeat(32)}`
      for (const call of ['requestAuthorization', 'profileByQr'] as const)
        for (const value of [qrValue, unknown])
          expect(await refusal(other.profiles[call](value))).toMatchObject({
            status: 422,
            code: 'qr_value_invalid',
            fields: { qr_value: [expect.any(String)] },
          })
      expect((await partner.profiles.profileByQr(qrValue)).state).toBe('VIEWED')
    })

    test('201: the partner can ask, and asks again within the retry time', async () => {
      const { partner, other, qrValue } = await issueFor('inquire')
      const { record } = await partner.profiles.requestAuthorization(qrValue)
      expect((await partner.profiles.requestAuthorization(qrValue)).record).toEqual(record)
      expect((await refusal(other.profiles.requestAuthorization(qrValue))).code).toBe('qr_value_invalid')
    })

    test('200: the diagnosis of another partner is that of an unknown value', async () => {
      const { other, qrValue } = await issueFor('share')
      const { requestId } = await refusal(other.profiles.profileByQr(qrValue))
      await expect
        .poll(async () => (await other.profiles.diagnose(requestId!)).checks.at(-1)?.detail)
        .toBe('unknown, or not usable')
    })

    test('404: no active partner has the code; 409: the citizen blocks the partner or everything', async () => {
      const [partner, suspended, citizen] = [
        await service.partner(),
        await service.partner(),
        await service.citizen(),
      ]
      await service.operator('suspendPartner', { path: { partner_code: suspended.code } })
      const issue = (partner_code: string) =>
        refusal(citizen.app('issueQrCode', { body: { purpose: 'share', partner_code } }))
      for (const code of ['NO_SUCH_PARTNER', suspended.code])
        expect(await issue(code)).toMatchObject({ status: 404, code: 'not_found' })
      await citizen.setPreferences({ blocked_partners: [partner.code] })
      expect(await issue(partner.code)).toMatchObject(REFUSED)
      expect((await citizen.app('issueQrCode', { body: { purpose: 'share' } })).status).toBe(201)
      await citizen.setPreferences({ frozen: true })
      expect(await issue(partner.code)).toMatchObject(REFUSED)
    })
  })

  test.each([
    ['SSO_AUTHENTICATION', 404, 404],
    ['PROFILE_VIEW', 404, 201],
    ['PROFILE_INQUIRE', 201, 201],
  ] as const)('for one partner with the scope %s: inquire %i, share %i', async (scope, ...statuses) => {
    const [partner, citizen] = [await service.partner({ scopes: [scope] }), await service.citizen()]
    const issue = (purpose: 'inquire' | 'share') =>
      service.send('issueQrCode', {
        headers: { Authorization: `Bearer ${citizen.token}` },
        json: { purpose, partner_code: partner.code },
      })
    expect([(await issue('inquire')).status, (await issue('share')).status]).toEqual(statuses)
  })

  test('401: an operator token, a forged token and a malformed token', async () => {
    const citizen = await service.citizen()
    const forged = citizen.token.replace(
      /\.(.)([^.]*)$/,
      (_, first, rest) => `.${first === 'A' ? 'B' : 'A'}${rest}`,
    )
    const body = JSON.stringify({ purpose: 'inquire' })
    for (const token of [service.operatorToken, forged, `${citizen.token}.x`]) {
      const response = await service.send('issueQrCode', {
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body,
      })
      expect([response.status, await response.json()]).toEqual([
        401,
        expect.objectContaining({ error: 'token_invalid' }),
      ])
    }
  })

  test('422: an unknown purpose; the error lists the known ones', async () => {
    const citizen = await service.citizen()
    const headers = { Authorization: `Bearer ${citizen.token}`, 'Content-Type': 'application/json' }
    const response = await service.send('issueQrCode', { headers, body: JSON.stringify({ purpose: 'sell' }) })
    expect([response.status, await response.json()]).toEqual([
      422,
      expect.objectContaining({
        error: 'validation_failed',
        errors: { purpose: [expect.stringContaining('inquire, share')] },
      }),
    ])
  })

  test('409: no QR value is issued while everything is frozen', async () => {
    const citizen = await service.citizen()
    await citizen.setPreferences({ frozen: true })
    for (const purpose of ['inquire', 'share'] as const)
      expect(await refusal(citizen.showQr(purpose))).toMatchObject(REFUSED)
    await citizen.setPreferences({})
    expect(await citizen.showQr()).toMatch(/^TWQ1/)
  })
})
