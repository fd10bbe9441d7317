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

  test('404: a citizen that the registry does not know', async () => {
    const headers = {
      Authorization: `Bearer ${await service.tokens.citizen('UNKNOWN')}`,
      'Content-Type': 'application/json',
    }
    const response = await service.send('issueQrCode', {
      headers,
      body: JSON.stringify({ purpose: 'inquire' }),
    })
    expect([response.status, await response.json()]).toEqual([
      404,
      expect.objectContaining({ error: 'not_found' }),
    ])
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
