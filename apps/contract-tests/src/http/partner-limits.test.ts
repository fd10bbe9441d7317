import type { Schemas } from '@tiwala/contract'
import { describe, expect, test } from 'vitest'
import { errorBody } from '../kit/error-body.ts'
import { prepareRequest } from '../kit/prepared-request.ts'
import { startServiceForFile } from '../kit/test-service.ts'

/**
 * A separate service, because the test moves the clock far ahead. Its QR values and codes live longer than
 * a day.
 */
const service = await startServiceForFile({
  TIWALA_QR_TTL_SECONDS: '200000',
  TIWALA_EXCHANGE_CODE_TTL_SECONDS: '200000',
})

const limited = (limits: Schemas['PartnerLimitsChange']) => service.partner({ limits })

describe.each([
  { id: 'requestAuthorization', limit: 'requests_per_minute' },
  { id: 'profileByQr', limit: 'views_per_minute' },
  { id: 'generateToken', limit: 'tokens_per_minute' },
  { id: 'authenticate', limit: 'sign_ins_per_minute' },
] as const)('$id', ({ id, limit }) => {
  test(`429: the partner's own ${limit}, shown in the headers; a higher limit applies at once`, async () => {
    const partner = await limited({ [limit]: 2 })
    const calls = [
      await prepareRequest(service, id, partner),
      await prepareRequest(service, id, partner),
      await prepareRequest(service, id, partner),
    ] as const
    const first = await calls[0].send()
    expect(first.status).toBe(200)
    expect(first.headers.get('ratelimit-policy')).toContain('q=2; w=60')
    expect(first.headers.get('ratelimit')).toContain('r=1')
    expect((await calls[1].send()).status).toBe(200)
    expect(await errorBody(await calls[2].send())).toMatchObject({ status: 429, error: 'rate_limited' })
    await partner.change({ limits: { [limit]: null } })
    const relaxed = await calls[2].send()
    expect(relaxed.status).toBe(200)
    expect(relaxed.headers.get('ratelimit-policy')).toContain('q=1000000; w=60')
  })
})

describe.each(['requestAuthorization', 'profileByQr', 'generateToken'] as const)('%s', (id) => {
  test('429: above the daily quota, until midnight in Manila; nothing is used', async () => {
    const partner = await limited({ per_day: 2 })
    const calls = [
      await prepareRequest(service, id, partner),
      await prepareRequest(service, id, partner),
      await prepareRequest(service, id, partner),
    ] as const
    expect([(await calls[0].send()).status, (await calls[1].send()).status]).toEqual([200, 200])
    const refused = await calls[2].send()
    expect(await errorBody(refused)).toMatchObject({ status: 429, error: 'quota_exceeded' })
    const waitSeconds = Number(refused.headers.get('retry-after'))
    const { created_at } = (
      await service.operator('rotateCredential', {
        path: { partner_code: partner.code },
        body: { kind: 'secret_token', grace_days: 7 },
      })
    ).body.credential
    const midnight = new Date(Date.parse(created_at) + waitSeconds * 1_000 + 8 * 3_600_000)
    expect(midnight.toISOString()).toMatch(/T00:00:0|T23:59:5/)
    await service.advance(waitSeconds + 1)
    expect((await calls[2].send()).status).toBe(200)
  })

  test('200: refused requests do not count, and each partner has its own quota', async () => {
    const partner = await limited({ per_day: 1 })
    const request = await prepareRequest(service, id, partner)
    const junk = { qr_value: 'junk', exchange_code: 'junk' }
    const spoilt = request.fields
      ? {
          fields: Object.fromEntries(
            Object.entries({ ...request.fields, ...junk }).filter(([name]) => name in request.fields!),
          ) as Record<string, string>,
        }
      : { query: 'qr_value=junk' }
    for (let count = 0; count < 3; count++) expect((await request.send(spoilt)).status).toBe(422)
    expect((await request.send()).status).toBe(200)
    expect((await (await prepareRequest(service, id, partner)).send()).status).toBe(429)
    expect((await (await prepareRequest(service, id)).send()).status).toBe(200)
  })
})

describe('requestAuthorization', () => {
  test('200 or 429: of many simultaneous requests as many succeed as the quota allows', async () => {
    const partner = await limited({ per_day: 5 })
    const calls = await Promise.all(
      Array.from({ length: 12 }, () => prepareRequest(service, 'requestAuthorization', partner)),
    )
    const statuses = (await Promise.all(calls.map((request) => request.send()))).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(5)
    expect(statuses.filter((status) => status === 429)).toHaveLength(7)
  })

  test('429: the quota lasts longer than one counting interval, and can be raised or removed', async () => {
    const partner = await limited({ per_day: 1 })
    const request = await prepareRequest(service, 'requestAuthorization', partner)
    await (await prepareRequest(service, 'requestAuthorization', partner)).send()
    await expect
      .poll(async () => (await service.countRows('partner_usage where used = 1'))[0], { timeout: 60_000 })
      .toBeGreaterThan(0)
    expect((await request.send()).status).toBe(429)
    await partner.change({ limits: { per_day: 2 } })
    expect((await request.send()).status).toBe(200)
    await partner.change({ limits: { per_day: null } })
    expect((await (await prepareRequest(service, 'requestAuthorization', partner)).send()).status).toBe(200)
  })
})

describe('inquire', () => {
  test('200: over the quota, inquiries and cancellations still work, and sign-ins complete', async () => {
    const [partner, citizen] = [await limited({ per_day: 2 }), await service.citizen()]
    const { record } = await partner.profiles.requestAuthorization(await citizen.showQr())
    const token = await partner.sso.generateToken(await citizen.exchangeCode(partner.code))
    expect((await partner.profiles.inquire(record.tracking_no)).state).toBe('PENDING')
    expect((await partner.profiles.cancelAuthorization(record.tracking_no)).state).toBe('CANCELLED')
    expect(
      (await service.send('authenticate', { headers: { Authorization: `Bearer ${token}` } })).status,
    ).toBe(200)
  })
})
