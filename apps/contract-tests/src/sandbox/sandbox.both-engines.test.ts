import { describe, expect, test } from 'vitest'
import { diagnose } from '../kit/diagnoses.ts'
import { createSandbox } from '../kit/sandbox.ts'
import { refusal, startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile()
const created = () => createSandbox(service.url)

describe('a sandbox', () => {
  test('201: has the fields of the default sandbox and addresses of its own', async () => {
    const shared = (await (await fetch(`${service.url}/sandbox/bootstrap.json`)).json()) as object
    const response = await fetch(`${service.url}/sandbox`, { method: 'POST' })
    const own = (await response.json()) as Record<string, unknown>
    expect([response.status, response.headers.get('cache-control')]).toEqual([201, 'no-store'])
    const address = `${service.url}/sandbox/${String(own['sandbox_id'])}`
    const { sandbox_id, expires_at, clock_url, inbox_url, requests_url, ...rest } = own
    expect(Object.keys(rest)).toEqual(Object.keys(shared))
    expect([clock_url, inbox_url, requests_url]).toEqual(
      ['clock', 'inbox.json', 'requests'].map((path) => `${address}/${path}`),
    )
    expect(sandbox_id).toMatch(/^sbx_[0-9A-Za-z]{22}$/)
    const hours = (Date.parse(String(expires_at)) - Date.now()) / 3_600_000
    expect(hours).toBeCloseTo(24, 0)
  })

  test('200: gives a profile and a sign-in, lists the requests, and receives the signed events', async () => {
    const own = await created()
    const { record } = await own.profiles.requestAuthorization(await own.showQr(own.manual.token, 'inquire'))
    await own.app(own.manual.token)('acceptAuthorization', { path: { tracking_no: record.tracking_no } })
    const answered = await own.profiles.inquire(record.tracking_no)
    expect(answered.record.response).toMatchObject({ uniqid: own.manual.uniqid })
    const { exchange_code } = (await own.signIn(own.manual.token)).body
    expect((await own.sso.signIn(exchange_code)).uniqid).toBe(own.manual.uniqid)
    await expect.poll(own.requests).toMatchObject(
      ['authenticate', 'generateToken', 'inquire', 'requestAuthorization'].map((operation) => ({
        operation,
        status: 200,
        error: null,
        request_id: expect.stringMatching(/^req_/),
        duration_ms: expect.any(Number),
      })),
    )
    const types = async () =>
      (await own.events())
        .map(({ body, signature_ok }) => `${(JSON.parse(body) as { type: string }).type} ${signature_ok}`)
        .toSorted()
    await expect.poll(types).toEqual(['authorization.accepted true', 'sso.authenticated true'])
  })

  test('200: its citizens answer automatically', async () => {
    const own = await created()
    for (const [behavior, state] of [
      ['accepts', 'ACCEPTED'],
      ['declines', 'DECLINED'],
    ]) {
      const citizen = own.citizens.find((each) => each.behavior === behavior)!
      const { record } = await own.profiles.requestAuthorization(await own.showQr(citizen.token, 'inquire'))
      expect((await own.profiles.waitForAcceptance(record.tracking_no)).state).toBe(state)
    }
  })

  test('200: a refused request is listed with its error and has a diagnosis', async () => {
    const own = await created()
    const { requestId } = await refusal(own.profiles.requestAuthorization(`TWQ1${'0'.repeat(32)}`))
    await expect
      .poll(own.requests)
      .toMatchObject([{ request_id: requestId, status: 422, error: 'qr_value_invalid' }])
    const { checks } = await diagnose(own, requestId!)
    expect(checks.find(({ outcome }) => outcome === 'failed')).toMatchObject({ check: 'qr_value' })
  })

  test('200: the clock moves everything of the sandbox', async () => {
    const own = await created()
    const { record } = await own.profiles.requestAuthorization(await own.showQr(own.manual.token, 'inquire'))
    const [qr, code] = [
      await own.showQr(own.manual.token, 'share'),
      (await own.signIn(own.manual.token)).body.exchange_code,
    ]
    const access = await own.sso.generateToken((await own.signIn(own.manual.token)).body.exchange_code)
    expect(await own.advance(301)).toEqual({ status: 200, body: { advanced_seconds: 301 } })
    const state = { sandbox_id: own.sandbox_id, advanced_seconds: 301, tracking_nos: [record.tracking_no] }
    expect((await own.change('GET', '')).body).toMatchObject(state)
    expect((await own.profiles.inquire(record.tracking_no)).state).toBe('EXPIRED')
    expect((await refusal(own.profiles.profileByQr(qr))).code).toBe('qr_value_invalid')
    expect((await refusal(own.sso.signIn(code))).code).toBe('exchange_code_invalid')
    expect((await refusal(own.sso.authenticate(access))).code).toBe('token_expired')
    expect((await own.advance(366 * 86_400)).status).toBe(200)
    expect((await refusal(own.profiles.whoAmI())).code).toBe('credentials_invalid')
  })

  test('200: of moves of the clock at once, each response has the sum so far', async () => {
    const own = await created()
    const moves = await Promise.all([1, 2, 3].map(() => own.advance(60)))
    const sums = moves.map(({ body }) => (body as { advanced_seconds: number }).advanced_seconds)
    expect(sums.toSorted((a, b) => a - b)).toEqual([60, 120, 180])
  })

  test('200: a waiting inquiry sees that its record expires when the clock moves', async () => {
    const own = await created()
    const { record } = await own.profiles.requestAuthorization(await own.showQr(own.manual.token, 'inquire'))
    const waiting = own.profiles.inquire(record.tracking_no, { waitSeconds: 25 })
    await expect.poll(service.waiting).toBeGreaterThan(0)
    await own.advance(301)
    expect((await waiting).state).toBe('EXPIRED')
  })

  test('204: a deleted sandbox leaves no rows but its partner, which no other sandbox uses', async () => {
    const own = await created()
    const { record } = await own.profiles.requestAuthorization(await own.showQr(own.manual.token, 'inquire'))
    await own.app(own.manual.token)('acceptAuthorization', { path: { tracking_no: record.tracking_no } })
    await own.sso.signIn((await own.signIn(own.manual.token)).body.exchange_code)
    await refusal(own.profiles.requestAuthorization('wrong'))
    await expect.poll(async () => (await own.requests()).length).toBe(4)
    const tables = ['citizen', 'credential', 'authorization_record', 'exchange_code', 'sandbox', 'qr_code']
    expect((await own.change('DELETE', '')).status).toBe(204)
    expect((await refusal(own.profiles.whoAmI())).code).toBe('credentials_invalid')
    expect((await own.change('GET', 'requests')).body).toMatchObject({ error: 'not_found' })
    const before = await service.countRows(...tables)
    const next = await created()
    expect(next.partner.partner_code).not.toBe(own.partner.partner_code)
    expect([await next.requests(), await next.events()]).toEqual([[], []])
    expect((await next.profiles.whoAmI()).name).toBe('Mabuhay Hotels Incorporated')
    await next.change('DELETE', '')
    expect(await service.countRows(...tables)).toEqual(before)
  })
})
