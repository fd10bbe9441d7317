import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { errorOf } from '../harness/error-of.ts'
import { prepareCall } from '../harness/prepared-call.ts'
import { startWorld, type World } from '../harness/world.ts'

const LIMITED = [
  { id: 'requestAuthorization', limit: 2 },
  { id: 'profileByQr', limit: 2 },
  { id: 'generateToken', limit: 4 },
  { id: 'authenticate', limit: 2 },
] as const

let world: World
beforeAll(async () => {
  const [requests, views, tokens, signIns] = LIMITED.map(({ limit }) => String(limit)) as [string, string, string, string]
  const limits = {
    TIWALA_REQUESTS_PER_MINUTE: requests,
    TIWALA_VIEWS_PER_MINUTE: views,
    TIWALA_TOKENS_PER_MINUTE: tokens,
    TIWALA_SIGN_INS_PER_MINUTE: signIns,
  }
  // What is handed over lives longer than the minute that has to pass, and addresses are told by a header.
  const lives = { TIWALA_QR_TTL_SECONDS: '600', TIWALA_EXCHANGE_CODE_TTL_SECONDS: '600' }
  world = await startWorld({ ...limits, ...lives, TIWALA_REFUSED_CREDENTIALS_PER_MINUTE: '2', TIWALA_TRUSTED_PROXIES: '127.0.0.1' })
})
afterAll(() => world.close())
afterEach(() => vi.restoreAllMocks())

const aMinuteLater = () => vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_001)

describe.each(LIMITED)('$id', ({ id, limit }) => {
  test(`429: more than ${limit} in a minute; nothing is used up`, async () => {
    const partner = await world.partner()
    const call = await prepareCall(world, id, partner)
    for (let count = 0; count < limit; count++) expect((await (await prepareCall(world, id, partner)).send()).status).toBe(200)
    const refused = await call.send()
    expect(await errorOf(refused)).toMatchObject({ status: 429, error: 'rate_limited' })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50)
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60)
    aMinuteLater()
    expect(await call.stillWorks()).toBe(200)
  })

  test('429: a minute later the partner may call again', async () => {
    const partner = await world.partner()
    const call = await prepareCall(world, id, partner)
    for (let count = 0; count < limit; count++) await (await prepareCall(world, id, partner)).send()
    expect((await call.send()).status).toBe(429)
    aMinuteLater()
    expect((await call.send()).status).toBe(200)
  })

  test('429: of one partner, and not of the next', async () => {
    const partner = await world.partner()
    for (let count = 0; count <= limit; count++) await (await prepareCall(world, id, partner)).send()
    expect((await (await prepareCall(world, id)).send()).status).toBe(200)
  })

  test('200: the RateLimit headers tell the limit and what is left', async () => {
    const { headers } = await (await prepareCall(world, id)).send()
    expect(headers.get('ratelimit-policy')).toContain(`q=${limit}; w=60`)
    expect(headers.get('ratelimit')).toContain(`r=${limit - 1}; t=60`)
  })
})

describe('authenticate', () => {
  test('429: who replays a spent token is held off, and not the partner it was of', async () => {
    const [partner, citizen] = [await world.partner(), await world.citizen()]
    const token = await partner.sso.generateToken(await citizen.exchangeCode(partner.code))
    const replay = async () =>
      (await world.send('authenticate', { headers: { Authorization: `Bearer ${token}`, 'X-Forwarded-For': '192.0.2.77' } })).status
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
  test('429: wrong credentials hold off the address they come from, not the partner', async () => {
    const call = await prepareCall(world, id)
    const { secret_token, partner_secret } = (await world.partner()).credentials
    // An address of its own for each operation.
    const here = { 'X-Forwarded-For': `203.0.113.${id.length}` }
    const wrong = { 'X-Secret-Token': secret_token, Authorization: 'Bearer junk' }
    const wrongly = () =>
      call.send({
        headers: { ...call.headers, ...wrong, ...here },
        ...(id === 'generateToken' && { fields: { ...call.fields, partner_secret } }),
      })
    expect([(await wrongly()).status, (await wrongly()).status]).toEqual([status, status])
    const refused = await call.send({ headers: { ...call.headers, ...here } })
    expect(await errorOf(refused)).toMatchObject({ status: 429, error: 'rate_limited' })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50)
    expect((await call.send({ headers: { ...call.headers, 'X-Forwarded-For': '203.0.113.200' } })).status).toBe(200)
  })
})
