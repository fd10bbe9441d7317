// A sandbox on the internet: its default sandbox is for strangers.
import { setTimeout } from 'node:timers/promises'
import type { OperationId, Schemas } from '@tiwala/contract'
import { type RequestOptions, send } from '@tiwala/kit/operations'
import type { Bootstrap, ListedRequest } from '@tiwala/server/sandbox-bootstrap'
import { describe, expect, test } from 'vitest'
import { json } from '../kit/body-forms.ts'
import { createBrowser } from '../kit/browser.ts'
import { callWorkbench } from '../kit/member.ts'
import { authorizationUrl } from '../kit/relying-party.ts'
import { createSandbox } from '../kit/sandbox.ts'
import { startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile({ TIWALA_PUBLIC_URL: 'https://sandbox.example' })
const url = `http://localhost:${service.config.listeners[0]!.port}`

test('the default sandbox has no administrator token', async () => {
  const bootstrap = (await (await fetch(`${url}/sandbox/bootstrap.json`)).json()) as Bootstrap
  const { operator_token, member_token, partner } = bootstrap
  expect([operator_token, member_token, partner.partner_code]).toEqual([undefined, undefined, 'SANDBOX'])
})

test('a visitor signs in to the default sandbox as its viewer, and to the own one as each of its members', async () => {
  const own = await createSandbox(url)
  const rolesAt = async (hint: string) => {
    const redirect = await fetch(`${url}/workbench/sign-in${hint}`, { redirect: 'manual' })
    const { pathname, search } = new URL(redirect.headers.get('location')!)
    const page = await (await fetch(url + pathname + search)).text()
    return new Set([...page.matchAll(/>(\w+)@/g)].map(([, role]) => role))
  }
  expect(await rolesAt('')).toEqual(new Set(['viewer']))
  expect(await rolesAt(`?login_hint=${own.sandbox_id}`)).toEqual(new Set(['admin', 'developer', 'viewer']))
})

test('OpenID Connect has the public URL, also if the request names another host or scheme', async () => {
  const response = await fetch(`${url}/oidc/.well-known/openid-configuration`, {
    headers: { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'http' },
  })
  const metadata = (await response.json()) as Record<string, string>
  const ENDPOINTS = ['authorization', 'token', 'userinfo', 'end_session', 'pushed_authorization_request']
  for (const name of ['jwks_uri', ...ENDPOINTS.map((endpoint) => `${endpoint}_endpoint`)])
    expect(metadata[name]).toMatch(/^https:\/\/sandbox\.example\/oidc\//)
})

test('the inbox page says how to send a test event', async () => {
  const pageOf = async (path: string) => (await fetch(`${url}/sandbox${path}/inbox`)).text()
  const ofAll = await pageOf('')
  expect(ofAll).toContain('/docs/guides/testing#have-a-sandbox-of-your-own')
  expect(ofAll).not.toMatch(/operator_token|member_token|curl/)
  const own = await createSandbox(url)
  expect(await pageOf(`/${own.sandbox_id}`)).toContain(`https://sandbox.example/sandbox/${own.sandbox_id}/`)
})

test('404: the clock of the default sandbox; that of a visitor moves', async () => {
  const advance = { method: 'POST', ...json({ advance_seconds: 1 }) }
  const refused = await fetch(`${url}/sandbox/clock`, advance)
  expect([refused.status, await refused.json()]).toMatchObject([
    404,
    { error: 'not_found', message: expect.stringContaining('POST /sandbox') },
  ])
  const own = await createSandbox(url)
  expect((await own.advance(1)).status).toBe(200)
})

test('200: a visitor of the default sandbox does not see the addresses of the others', async () => {
  const bootstrap = (await (await fetch(`${url}/sandbox/bootstrap.json`)).json()) as Bootstrap
  const own = await createSandbox(url)
  for (const { partner } of [bootstrap, own])
    await send(url, 'readPartnerSelf', {
      headers: { 'X-Secret-Code': partner.secret_code, 'X-Secret-Token': partner.secret_token },
    })
  const list = async () =>
    (await (await fetch(`${url}/sandbox/requests`)).json()) as { requests: ListedRequest[] }
  await expect.poll(async () => (await list()).requests.length).toBe(1)
  const [listed] = (await list()).requests
  expect(Object.keys(listed!)).toEqual([
    'request_id',
    'received_at',
    'method',
    'operation',
    'status',
    'error',
    'duration_ms',
  ])
  const addressesOf = async ({ partner }: Bootstrap) => {
    const call = callWorkbench(url, (await service.signIn(partner.partner_code, 'viewer')).headers)
    const newest = async () => (await call('listRequests')).body.requests[0]
    await expect.poll(newest).toBeDefined()
    const request = await newest()
    const { body } = await call('readRequest', { path: { request_id: request!.request_id } })
    return [request!.address, body.request.address]
  }
  expect(await addressesOf(bootstrap)).toEqual([null, null])
  expect(await addressesOf(own)).toEqual([expect.stringContaining('1'), expect.stringContaining('1')])
})

test('401: the administrator token of a sandbox that has ended', async () => {
  const own = await createSandbox(url)
  const path = { partner_code: own.partner.partner_code }
  const act = (id: OperationId, token: string) =>
    send(url, id, { path, headers: { Authorization: `Bearer ${token}` } })
  // The audit keeps the partner.
  expect((await act('suspendPartner', own.operator_token)).status).toBe(200)
  expect((await own.change('DELETE', '')).status).toBe(204)
  for (const id of ['resumePartner', 'readPartner', 'readOwnSession'] as const) {
    const refused = await act(id, own.operator_token)
    expect([refused.status, await refused.json()]).toMatchObject([401, { error: 'token_invalid' }])
  }
  const kept = (await (await act('readPartner', service.operatorToken)).json()) as Schemas['Partner']
  expect(kept.status).toBe('SUSPENDED')
})

test('422: an invitation of a person of another sandbox', async () => {
  const [own, other] = [await createSandbox(url), await createSandbox(url)]
  const { partner_code } = own.partner
  const addressOf = (code: string) => `Viewer@${code.toLowerCase().replace('_', '-')}.example`
  const { headers } = await service.signIn(partner_code)
  const invite = async (email: string) => {
    const body = { email, role: 'viewer' as const }
    const byOperator = await send(url, 'invitePartnerMember', {
      path: { partner_code },
      headers: { Authorization: `Bearer ${own.operator_token}` },
      json: body,
    })
    return [byOperator.status, (await callWorkbench(url, headers)('inviteMember', { body })).status]
  }
  expect(await invite(addressOf('SANDBOX'))).toEqual([422, 422])
  expect(await invite(addressOf(other.partner.partner_code))).toEqual([422, 422])
  // The own viewer is a member already.
  expect(await invite(addressOf(partner_code))).toEqual([409, 409])
  expect(await invite('viewer@mysandbox.example')).toEqual([201, 409])
})

test('422: a callback URL whose server did not show that it expects events', async () => {
  const own = await createSandbox(url)
  const refused = await own.change('PUT', 'callback', { callback_url: 'https://receiver.invalid/events' })
  expect(refused.status).toBe(422)
  expect(refused.body.errors!['callback_url']).toEqual([expect.stringContaining('(host not found)')])
  const statuses = []
  // A dot at the end or a port makes no other server of it.
  for (const end of ['', '', '', '.', '.', ':8443', './again'])
    statuses.push(
      (await own.change('PUT', 'callback', { callback_url: `https://receiver.invalid${end}` })).status,
    )
  expect(statuses).toEqual([422, 422, 422, 422, 422, 429, 429])
  expect((await own.change('PUT', 'callback', { callback_url: null })).status).toBe(200)
  const { headers } = await service.signIn(own.partner.partner_code)
  const { status, body } = await callWorkbench(url, headers)('changeSettings', {
    body: { callback_url: 'https://receiver.example/' },
  })
  expect([status, body.errors]).toEqual([422, { callback_url: ['is set at the page of this sandbox'] }])
})

describe('the administrator of a visitor', async () => {
  const [own, other] = [await createSandbox(url), await createSandbox(url)]
  const path = { partner_code: own.partner.partner_code }
  const headersOf = ({ operator_token }: typeof own) => ({ Authorization: `Bearer ${operator_token}` })
  const act = (id: OperationId, options: RequestOptions = {}) =>
    send(url, id, { path, headers: headersOf(own), ...options })

  test('422: a jwks_url, also in the workbench: its server never agreed to requests', async () => {
    const errors = { jwks_url: ['cannot be used in this sandbox. Use `keys`'] }
    const jwks_url = 'https://receiver.example/keys'
    const registration = (await (await act('readSignInRegistration')).json()) as Schemas['SignInRegistration']
    const refused = await act('setSignInRegistration', { json: { ...registration, jwks_url } })
    expect([refused.status, await refused.json()]).toMatchObject([422, { errors }])
    expect((await act('setSignInRegistration', { json: registration })).status).toBe(200)
    const { headers } = await service.signIn(own.partner.partner_code)
    const { status, body } = await callWorkbench(url, headers)('changeSettings', { body: { jwks_url } })
    expect([status, body.errors]).toEqual([422, errors])
    // The administrator of the service knows the partner.
    const Authorization = `Bearer ${service.operatorToken}`
    const byOperator = { headers: { Authorization }, json: { ...registration, jwks_url } }
    expect((await act('setSignInRegistration', byOperator)).status).toBe(200)
  })

  test('200: a name that others have, without their codes', async () => {
    const { name } = other.partner
    for (const response of [await act('changePartner', { json: { name } }), await act('resumePartner')])
      expect([response.status, await response.json()]).toEqual([
        200,
        expect.not.objectContaining({ similar_partners: expect.anything() }),
      ])
    const Authorization = `Bearer ${service.operatorToken}`
    const byOperator = await act('changePartner', { headers: { Authorization }, json: { name } })
    expect(await byOperator.json()).toHaveProperty('similar_partners')
  })

  test('429: more than 60 changes in a minute by one operation, for this visitor only', async () => {
    const statuses = []
    for (let count = 0; count < 61; count++) statuses.push((await act('suspendPartner')).status)
    expect(statuses).toEqual([...Array.from({ length: 60 }, () => 200), 429])
    expect((await act('resumePartner')).status).toBe(200)
    expect((await act('readPartner')).status).toBe(200)
    const toOther = { path: { partner_code: other.partner.partner_code } }
    expect((await act('suspendPartner', { ...toOther, headers: headersOf(other) })).status).toBe(200)
    const Authorization = `Bearer ${service.operatorToken}`
    expect((await act('suspendPartner', { headers: { Authorization } })).status).toBe(200)
  })
})

/** Repeats a request beyond its limit. The limit of an address lasts for one second, and does not count. */
async function repeat(count: number, request: () => Promise<Response>): Promise<number[]> {
  const statuses: number[] = []
  while (statuses.length < count) {
    const { status, headers } = await request()
    if (status === 429 && headers.get('retry-after') === '1') await setTimeout(100)
    else statuses.push(status)
  }
  return statuses
}

test('429: the clock of a sandbox moves 10 times in a minute', async () => {
  const { address } = await createSandbox(url)
  const advance = { method: 'POST', ...json({ advance_seconds: 1 }) }
  const statuses = await repeat(21, () => fetch(`${address}/clock`, advance))
  // A minute may have ended meanwhile.
  expect([10, 20]).toContain(statuses.filter((status) => status === 200).length)
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
})

test('429: one address sends more than 100 events in a second to an inbox; others still arrive', async () => {
  const { partner, operator_token } = await createSandbox(url)
  const headers = { Authorization: `Bearer ${operator_token}` }
  const read = await send(url, 'readPartner', { path: partner, headers })
  const { callback_url } = (await read.json()) as Schemas['Partner']
  const post = async (path: string) => (await fetch(url + path, { method: 'POST', body: '{}' })).status
  const flood = async () =>
    new Set(await Promise.all(Array.from({ length: 250 }, () => post('/sandbox/inbox'))))
  await expect.poll(flood).toContain(429)
  expect(await post(new URL(callback_url!).pathname)).toBe(204)
})

test('429: the citizen app of a sandbox answers 60 forms in a minute, since their audit rows remain', async () => {
  const { partner } = await createSandbox(url)
  const browser = createBrowser(url)
  let at = authorizationUrl(url, partner.partner_code, 'https://sandbox.example/sandbox/signed-in')
  let page = await browser.request(at)
  for (let location; (location = page.headers.get('location'));) {
    at = new URL(location, at)
    page = await browser.request(url + at.pathname + at.search)
  }
  const [, code] = /code=(TWS2-[\w-]+)/.exec(await page.text())!
  const body = new URLSearchParams({ code: code!, answer: 'decline' })
  const answer = () => fetch(`${url}/sandbox/phone`, { method: 'POST', body, redirect: 'manual' })
  const statuses = await repeat(121, answer)
  expect([60, 120]).toContain(statuses.filter((status) => status === 303).length)
  expect(new Set(statuses)).toEqual(new Set([303, 429]))
})
