// A sandbox on the internet: its default sandbox is for strangers.
import type { OperationId, Schemas } from '@tiwala/contract'
import { type RequestOptions, send } from '@tiwala/kit/operations'
import type { Bootstrap } from '@tiwala/server/sandbox-bootstrap'
import { describe, expect, test } from 'vitest'
import { json } from '../kit/body-forms.ts'
import { callWorkbench } from '../kit/member.ts'
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

test('422: a callback URL whose server did not show that it expects events', async () => {
  const own = await createSandbox(url)
  const refused = await own.change('PUT', 'callback', { callback_url: 'https://receiver.invalid/events' })
  expect(refused.status).toBe(422)
  expect(refused.body.errors!['callback_url']).toEqual([expect.stringContaining('(host not found)')])
  const statuses = []
  // A dot at the end makes no other server of it.
  for (const host of ['receiver.invalid', 'receiver.invalid.'])
    for (let count = 0; count < 3; count++)
      statuses.push((await own.change('PUT', 'callback', { callback_url: `https://${host}/` })).status)
  expect(statuses.slice(0, 5).concat(statuses.at(-1)!)).toEqual([422, 422, 422, 422, 422, 429])
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
