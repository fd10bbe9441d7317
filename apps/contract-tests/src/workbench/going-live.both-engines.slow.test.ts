// The check of an integration: by the traffic of a partner, with a signed report.
import { TiwalaError } from '@tiwala/client'
import type { Schemas } from '@tiwala/contract'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { diagnose } from '../kit/diagnoses.ts'
import { callWorkbench } from '../kit/member.ts'
import { refusal, startServiceForFile } from '../kit/test-service.ts'
import { partnerWithReceiver } from '../kit/webhook-receiver.ts'

const service = await startServiceForFile({ TIWALA_POLL_INTERVAL_SECONDS: '0' })

const LIVE_CODE = 'HOTEL_MABUHAY'

async function prepare() {
  const { partner, receiver, citizen } = await partnerWithReceiver(service)
  const call = callWorkbench(service.url, (await service.signIn(partner.code, 'developer')).headers)
  const write = async () =>
    (await call('writeGoingLiveReport', { body: { live_partner_code: LIVE_CODE } })).body
  const read = async (name: Schemas['GoingLiveCheck']['check']) =>
    (await write()).checks.find(({ check }) => check === name)!
  const untilLogged = async (request_id: string) => {
    const status = async () => (await call('readRequest', { path: { request_id } })).status
    await expect.poll(status).toBe(200)
  }
  return { partner, receiver, citizen, call, write, read, untilLogged }
}

describe('writeGoingLiveReport', () => {
  test('200: the report is signed with the key of the audit, and names no citizen', async () => {
    const { partner, citizen, write } = await prepare()
    const { record } = await partner.profiles.requestAuthorization(await citizen.showQr())
    const { receipt, written_at, partner_code, ...content } = await write()
    expect(partner_code).toBe(partner.code)
    expect(content).toMatchObject({ live_partner_code: LIVE_CODE, is_ready: false })
    const { keys } = (await service.operator('listAuditKeys', {})).body
    const { payload } = await jwtVerify(receipt, createLocalJWKSet({ keys }))
    const { iat, jti, ...claims } = payload
    expect(claims).toEqual({ ...content, event: 'report.written', sub: partner.code, iss: service.url })
    expect(iat).toBe(Math.floor(Date.parse(written_at) / 1_000))
    expect(JSON.stringify(payload)).not.toContain(record.tracking_no)
    const query = { kind: 'report.written', partner_code: partner.code }
    expect((await service.operator('listAuditEvents', { query })).body.events).toMatchObject([
      { request_id: jti, actor: expect.stringMatching(/^mbr_/), detail: `not ready, for ${LIVE_CODE}` },
    ])
  })

  test('200: an inquiry shows the state that it told, a diagnosis that its error was looked up', async () => {
    const { partner, citizen, read, untilLogged } = await prepare()
    const { record } = await partner.profiles.requestAuthorization(await citizen.showQr())
    await expect.poll(() => read('states')).toMatchObject({ outcome: 'not_seen', seen: 0 })
    await citizen.accept(record.tracking_no)
    await partner.profiles.inquire(record.tracking_no)
    await expect
      .poll(() => read('states'))
      .toMatchObject({ seen: 1, detail: expect.stringContaining('ACCEPTED') })

    const { requestId } = await refusal(partner.profiles.inquire('unknown'))
    expect(await read('errors')).toMatchObject({ outcome: 'not_seen' })
    await untilLogged(requestId!)
    expect(await read('errors')).toMatchObject({ outcome: 'passed', request_ids: [requestId] })
  })

  test('200: requests of the page of the sandbox do not count', async () => {
    const { partner, call, read } = await prepare()
    const page = { ...partner.headers, 'Sec-Fetch-Site': 'same-origin' }
    await service.send('readPartnerSelf', { headers: page })
    await expect.poll(async () => (await call('listRequests', {})).body.requests.length).toBe(1)
    expect(await read('browser')).toMatchObject({ outcome: 'not_seen' })
    await service.send('readPartnerSelf', { headers: partner.headers })
    await expect.poll(() => read('browser')).toMatchObject({ outcome: 'passed', seen: 1 })
  })

  test('200: a diagnosis that the server of the partner reads counts, too', async () => {
    const { partner, call, read } = await prepare()
    const { requestId } = await refusal(partner.profiles.inquire('unknown'))
    await expect.poll(async () => (await call('listRequests', {})).body.requests.length).toBe(1)
    await diagnose(partner, requestId!)
    expect(await read('errors')).toMatchObject({ outcome: 'passed', request_ids: [requestId] })
  })

  test('200: a limit that is obeyed, and one that is not', async () => {
    const { partner, citizen, read } = await prepare()
    const limits = { ...(await partner.profiles.whoAmI()).limits, requests_per_minute: 1 }
    await service.operator('changePartner', { path: { partner_code: partner.code }, body: { limits } })
    const ask = async () => partner.profiles.requestAuthorization(await citizen.showQr())
    await ask()
    expect(await refusal(ask())).toBeInstanceOf(TiwalaError)
    expect(await read('retry_after')).toMatchObject({ faults: 0 })
    await refusal(ask())
    await expect.poll(() => read('retry_after')).toMatchObject({ outcome: 'failed', faults: 1 })
  })

  test('200: secrets in a browser', async () => {
    const { partner, read } = await prepare()
    await partner.profiles.whoAmI()
    await expect.poll(() => read('browser')).toMatchObject({ outcome: 'passed' })
    const headers = { ...partner.headers, Origin: 'https://hotel.example' }
    await service.send('readPartnerSelf', { headers })
    await expect.poll(() => read('browser')).toMatchObject({ outcome: 'failed', faults: 1 })
  })

  test('200: sign-ins with state, with a code challenge, and with neither', async () => {
    const { partner, citizen, read } = await prepare()
    const issue = (body: object) =>
      citizen.app('issueExchangeCode', { body: { partner_code: partner.code, ...body } })
    const other = await prepare()
    await other.citizen.app('issueExchangeCode', { body: { partner_code: other.partner.code } })
    expect(await read('sign_in_binding')).toMatchObject({ outcome: 'not_used' })
    await issue({ state: 'abcdefgh12345678' })
    await issue({ code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM' })
    expect(await read('sign_in_binding')).toMatchObject({ outcome: 'passed', seen: 2 })
    await issue({})
    expect(await read('sign_in_binding')).toMatchObject({ outcome: 'failed', seen: 2, faults: 1 })
  })

  test('200: a rotated secret counts when it is used', async () => {
    const { partner, read } = await prepare()
    const { body } = await service.operator('rotateCredential', {
      path: { partner_code: partner.code },
      body: { kind: 'secret_token', grace_days: 1 },
    })
    await partner.profiles.whoAmI()
    expect(await read('rotation')).toMatchObject({ outcome: 'not_seen' })
    await service.send('readPartnerSelf', {
      headers: { ...partner.headers, 'X-Secret-Token': body.secret },
    })
    await expect.poll(() => read('rotation')).toMatchObject({ outcome: 'passed' })
  })

  test('200: a server that accepts every signature fails, one that verifies it passes', async () => {
    const { partner, receiver, read } = await prepare()
    expect(await read('signatures')).toMatchObject({
      outcome: 'failed',
      detail: expect.stringContaining('204'),
    })
    const secret = partner.credentials.webhook_secret
    receiver.setResponse((res, { body, headers }) => {
      const isValid = () => new Webhook(secret).verify(body, headers as Record<string, string>)
      try {
        isValid()
        res.writeHead(204).end()
      } catch {
        res.writeHead(401).end()
      }
    })
    expect(await read('signatures')).toMatchObject({ outcome: 'passed', seen: 1 })
    const path = { partner_code: partner.code }
    for (const callback_url of [null, `${service.url}/sandbox/inbox`]) {
      await service.operator('setCallback', { path, body: { callback_url } })
      expect(await read('signatures')).toMatchObject({ outcome: 'not_used' })
    }
  })

  test('429: at most 60 in a minute', async () => {
    const call = callWorkbench(service.url, (await service.signIn((await service.partner()).code)).headers)
    const write = () => call('writeGoingLiveReport', { body: { live_partner_code: LIVE_CODE } })
    const statuses = await Promise.all(Array.from({ length: 61 }, async () => (await write()).status))
    // Services of one process share the count, and a partner of another one may have the same number.
    expect(statuses).toContain(429)
  })
})
