import { afterEach, describe, expect, test, vi } from 'vitest'
import { diagnose, failedCheckOf } from '../kit/diagnoses.ts'
import { errorBody } from '../kit/error-body.ts'
import { prepareRequest } from '../kit/prepared-request.ts'
import { startServiceForFile } from '../kit/test-service.ts'

const LIMITED = [
  { id: 'requestAuthorization', limit: 2 },
  { id: 'profileByQr', limit: 2 },
  { id: 'generateToken', limit: 4 },
  { id: 'authenticate', limit: 2 },
] as const

// QR values, codes and tokens live longer than the tested minute, and a header gives the client address.
const service = await startServiceForFile({
  TIWALA_REQUESTS_PER_MINUTE: '2',
  TIWALA_VIEWS_PER_MINUTE: '2',
  TIWALA_TOKENS_PER_MINUTE: '4',
  TIWALA_SIGN_INS_PER_MINUTE: '2',
  TIWALA_QR_TTL_SECONDS: '600',
  TIWALA_EXCHANGE_CODE_TTL_SECONDS: '600',
  TIWALA_REFUSED_CREDENTIALS_PER_MINUTE: '2',
  TIWALA_TRUSTED_PROXIES: '127.0.0.1',
})
afterEach(() => vi.restoreAllMocks())

const aMinuteLater = () => vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_001)

describe.each(LIMITED)('$id', ({ id, limit }) => {
  test(`429: more than ${limit} in a minute; nothing is used`, async () => {
    const partner = await service.partner()
    const request = await prepareRequest(service, id, partner)
    for (let count = 0; count < limit; count++)
      expect((await (await prepareRequest(service, id, partner)).send()).status).toBe(200)
    const refused = await request.send()
    expect(await errorBody(refused)).toMatchObject({ status: 429, error: 'rate_limited' })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50)
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60)
    aMinuteLater()
    expect(await request.stillWorks()).toBe(200)
  })

  test('429: the limit resets after a minute', async () => {
    const partner = await service.partner()
    const request = await prepareRequest(service, id, partner)
    for (let count = 0; count < limit; count++) await (await prepareRequest(service, id, partner)).send()
    expect((await request.send()).status).toBe(429)
    aMinuteLater()
    expect((await request.send()).status).toBe(200)
  })

  test('429: the limit counts per partner', async () => {
    const partner = await service.partner()
    for (let count = 0; count <= limit; count++) await (await prepareRequest(service, id, partner)).send()
    expect((await (await prepareRequest(service, id)).send()).status).toBe(200)
  })

  test('200: the RateLimit headers hold the limit and the remaining requests', async () => {
    const { headers } = await (await prepareRequest(service, id)).send()
    expect(headers.get('ratelimit-policy')).toContain(`q=${limit}; w=60`)
    expect(headers.get('ratelimit')).toContain(`r=${limit - 1}; t=60`)
  })
})

describe('authenticate', () => {
  test('429: replaying a used token exhausts the limit of the sender, not of the partner', async () => {
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    const token = await partner.sso.generateToken(await citizen.exchangeCode(partner.code))
    const replay = async () =>
      (
        await service.send('authenticate', {
          headers: { Authorization: `Bearer ${token}`, 'X-Forwarded-For': '192.0.2.77' },
        })
      ).status
    expect([await replay(), await replay(), await replay(), await replay()]).toEqual([200, 401, 401, 429])
    expect((await partner.sso.signIn(await citizen.exchangeCode(partner.code))).uniqid).toBe(citizen.uniqid)
  })
})

describe.each([
  { id: 'requestAuthorization', status: 401 },
  { id: 'inquire', status: 401 },
  { id: 'profileByQr', status: 401 },
  { id: 'generateToken', status: 403 },
  { id: 'authenticate', status: 401 },
] as const)('$id', ({ id, status }) => {
  test('429: more than 2 wrong credentials with one code in a minute; a valid one is accepted', async () => {
    const request = await prepareRequest(service, id)
    const { secret_token, partner_secret } = (await service.partner()).credentials
    // Each operation has its own client address.
    const here = { 'X-Forwarded-For': `203.0.113.${id.length}` }
    const wrong = { 'X-Secret-Token': secret_token, Authorization: 'Bearer junk' }
    const wrongly = () =>
      request.send({
        headers: { ...request.headers, ...wrong, ...here },
        ...(id === 'generateToken' && { fields: { ...request.fields, partner_secret } }),
      })
    expect([(await wrongly()).status, (await wrongly()).status]).toEqual([status, status])
    const refused = await wrongly()
    expect(await errorBody(refused)).toMatchObject({ status: 429, error: 'rate_limited' })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60)
    expect((await request.send({ headers: { ...request.headers, ...here } })).status).toBe(200)
  })
})

describe('inquire', () => {
  const wrongly = async (code: string, address: string) => {
    const headers = { 'X-Secret-Code': code, 'X-Secret-Token': 'wrong', 'X-Forwarded-For': address }
    return (await service.send('inquire', { headers, query: 'tracking_no=unknown' })).status
  }
  const strangersCode = (index: number) => `twc_${String(index).padStart(20, '0')}`

  test('401: wrong credentials with another code or from another address count separately', async () => {
    const { secret_code } = (await service.partner()).credentials
    for (let count = 0; count < 3; count++) await wrongly(strangersCode(0), '192.0.2.1')
    expect(await wrongly(strangersCode(0), '192.0.2.1')).toBe(429)
    expect([await wrongly(secret_code, '192.0.2.1'), await wrongly(strangersCode(0), '192.0.2.2')]).toEqual([
      401, 401,
    ])
  })

  test('429: an address that tries many codes; valid credentials from this address work', async () => {
    const from = '198.51.100.9'
    const statuses: number[] = []
    for (let index = 0; index < 21; index++) statuses.push(await wrongly(strangersCode(index), from))
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 401), 429])
    const here = { 'X-Forwarded-For': from }
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    const inquiry = await service.send('inquire', {
      headers: { ...partner.headers, ...here },
      query: 'tracking_no=unknown',
    })
    const listed = await service.send('listAuthorizations', {
      headers: { Authorization: `Bearer ${citizen.token}`, ...here },
    })
    const partners = await service.send('listPartners', {
      headers: { Authorization: `Bearer ${service.operatorToken}`, ...here },
    })
    expect([inquiry.status, listed.status, partners.status]).toEqual([404, 200, 200])
  })

  test('429: IPv6 addresses are counted per /64 network', async () => {
    for (const host of ['1', '2', 'ffff:0:0:1'])
      await wrongly(strangersCode(1), `2001:db8:1:1::${host}`.replace('::ffff:0:0:1', ':ffff:0:0:1'))
    expect(await wrongly(strangersCode(1), '2001:db8:1:1::4')).toBe(429)
    expect(await wrongly(strangersCode(1), '2001:db8:1:2::1')).toBe(401)
  })

  test('401: the count restarts after a minute', async () => {
    for (let count = 0; count < 3; count++) await wrongly(strangersCode(2), '192.0.2.3')
    expect(await wrongly(strangersCode(2), '192.0.2.3')).toBe(429)
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_001)
    expect(await wrongly(strangersCode(2), '192.0.2.3')).toBe(401)
  })

  test('429: readDiagnosis names the credentials as the check that failed', async () => {
    const partner = await service.partner()
    const headers = { ...partner.headers, 'X-Secret-Token': 'wrong', 'X-Forwarded-For': '192.0.2.4' }
    const refused = async () =>
      errorBody(await service.send('inquire', { headers, query: 'tracking_no=unknown' }))
    await refused()
    await refused()
    const { status, request_id } = await refused()
    expect(status).toBe(429)
    expect(failedCheckOf(await diagnose(partner, request_id)).check).toBe('credentials')
  })
})
