// Access tokens of the identity provider of partner staff: who the person of a token is, and when it stops working.
import { basePathOf } from '@tiwala/kit/operations'
import { decodeJwt } from 'jose'
import { expect, onTestFinished, test } from 'vitest'
import { startProvider } from '../kit/identity-provider.ts'
import { callWorkbench } from '../kit/member.ts'
import { startServiceForFile, startTestService } from '../kit/test-service.ts'

const PATH = basePathOf('workbench')
const AUDIENCE = 'tiwala-workbench-api'
const ANA = { sub: 'ana', email: 'Ana@hotel.example', email_verified: true }
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })

const sandbox = await startServiceForFile({})
const readSession = (headers: Record<string, string>, { url } = sandbox) =>
  callWorkbench(url, headers)('readSession')

/** A service with a provider of its own, and a partner that has invited Ana. */
async function startLive() {
  const { issuer, sign } = await startProvider({})
  const service = await startTestService({
    TIWALA_STAFF_ISSUER: issuer,
    TIWALA_STAFF_JWKS_URL: `${issuer}/jwks`,
  })
  onTestFinished(() => service.close())
  const invite = async (email = 'ana@hotel.example', partnerCode?: string) => {
    const code = partnerCode ?? (await service.partner()).code
    const path = { partner_code: code }
    await service.operator('invitePartnerMember', { path, body: { email, role: 'developer' } })
    return code
  }
  const read = (token: string, headers: Record<string, string> = {}) =>
    readSession({ ...bearer(token), ...headers }, service)
  return { service, sign, read, invite, code: await invite() }
}

test('200: a verified address finds its invitation once; from then on, only the subject counts', async () => {
  const { service, sign, read, code } = await startLive()
  const unverified = await read(await sign({ ...ANA, email_verified: false }, AUDIENCE))
  expect([unverified.status, unverified.body.error]).toEqual([401, 'token_invalid'])
  const token = await sign(ANA, AUDIENCE, 'at+jwt')
  const { status, body } = await read(token)
  expect([status, body]).toEqual([
    200,
    expect.objectContaining({
      partner_code: code,
      role: 'developer',
      csrf_token: null,
      expires_at: new Date(decodeJwt(token).exp! * 1_000).toISOString(),
    }),
  ])
  expect((await read(await sign({ ...ANA, sub: 'other' }, AUDIENCE))).status).toBe(401)
  expect((await read(await sign({ sub: 'ana' }, AUDIENCE))).status).toBe(200)
  const { events } = (await service.operator('listAuditEvents', { query: { partner_code: code } })).body
  expect(events.filter(({ kind }) => kind === 'session.started')).toMatchObject([{ actor: body.member_id }])
})

test('401: another audience, also that of ID tokens; another key; an expired token; no token at all', async () => {
  const { service, sign, read } = await startLive()
  const stranger = await startProvider({})
  const tokens = {
    audience: await sign(ANA, 'other'),
    idToken: await sign(ANA, 'tiwala-workbench'),
    issuer: await stranger.sign(ANA, AUDIENCE),
    logout: await sign({ ...ANA, events: {} }, AUDIENCE),
    long: await sign(ANA, AUDIENCE, undefined, '25h'),
    sandbox: await service.tokens.member('ana@hotel.example'),
  }
  for (const [name, token] of Object.entries(tokens))
    expect([name, (await read(token)).body.error]).toEqual([name, 'token_invalid'])
  expect((await read(await sign(ANA, AUDIENCE, undefined, '-1s'))).body.error).toBe('token_expired')
  const basic = await readSession({ Authorization: 'Basic YTpi' }, service)
  expect([basic.status, basic.body.error]).toEqual([401, 'token_invalid'])
  for (const without of [{}, { Authorization: '' }])
    expect((await readSession(without, service)).body.error).toBe('session_required')
})

test('422: a person of several partners chooses one; 401: one of which the person is no member', async () => {
  const { sign, read, invite, code, service } = await startLive()
  const other = await invite()
  const token = await sign(ANA, AUDIENCE)
  const undecided = await read(token)
  expect([undecided.status, undecided.body]).toEqual([
    422,
    expect.objectContaining({
      errors: { 'X-Partner-Code': [`is required: ${[code, other].toSorted().join(', ')}`] },
    }),
  ])
  for (const chosen of [code, other])
    expect((await read(token, { 'X-Partner-Code': chosen })).body.partner_code).toBe(chosen)
  const { code: foreign } = await service.partner()
  expect((await read(token, { 'X-Partner-Code': foreign })).status).toBe(401)
})

test('200: an invitation of another partner, or a second one of the same, takes no access from a member', async () => {
  const { sign, read, invite, code } = await startLive()
  const { member_id } = (await read(await sign(ANA, AUDIENCE))).body
  const other = await invite('new@hotel.example')
  await invite('new@hotel.example', code)
  const token = await sign({ ...ANA, email: 'new@hotel.example' }, AUDIENCE)
  for (const headers of [{}, { 'X-Partner-Code': code }])
    expect((await read(token, headers)).body.member_id).toBe(member_id)
  expect((await read(token, { 'X-Partner-Code': other })).body.partner_code).toBe(other)
})

test('401: the next request after the member was removed, or the partner was suspended', async () => {
  const partner = await sandbox.partner()
  const [admin, viewer] = [await sandbox.signIn(partner.code), await sandbox.signIn(partner.code, 'viewer')]
  expect((await readSession(viewer.bearer)).status).toBe(200)
  const path = { member_id: viewer.memberId }
  expect((await callWorkbench(sandbox.url, admin.bearer)('removeMember', { path })).status).toBe(200)
  expect((await readSession(viewer.bearer)).body.error).toBe('token_invalid')
  await sandbox.operator('suspendPartner', { path: { partner_code: partner.code } })
  expect((await readSession(admin.bearer)).body.error).toBe('token_invalid')
})

test('200: a request with a token and a cookie is one of the token, and needs no token against forgery', async () => {
  const [partner, other] = [await sandbox.partner(), await sandbox.partner()]
  const [mine, foreign] = [await sandbox.signIn(partner.code), await sandbox.signIn(other.code)]
  const both = { ...mine.bearer, Cookie: foreign.headers.Cookie }
  expect((await readSession(both)).body.member_id).toBe(mine.memberId)
  const body = { email: 'new@hotel.example', role: 'viewer' } as const
  expect((await callWorkbench(sandbox.url, both)('inviteMember', { body })).status).toBe(201)
  const { events } = (await sandbox.operator('listAuditEvents', { query: { partner_code: partner.code } }))
    .body
  expect(events.find(({ kind }) => kind === 'member.invited')).toMatchObject({ actor: mine.memberId })
  // An invalid token does not fall back to the cookie.
  expect((await readSession({ ...bearer('a.b.c'), Cookie: foreign.headers.Cookie })).status).toBe(401)
})

test('401: a service with a provider, but without its keys, accepts no token of a member', async () => {
  const { issuer, sign } = await startProvider({})
  const service = await startTestService({ TIWALA_STAFF_ISSUER: issuer })
  onTestFinished(() => service.close())
  for (const token of [await sign(ANA, AUDIENCE), await service.tokens.member('admin@sandbox.example')])
    expect((await readSession(bearer(token), service)).body.error).toBe('token_invalid')
})

test('503: the keys of the provider cannot be fetched', async () => {
  const service = await startTestService({
    TIWALA_STAFF_ISSUER: 'http://127.0.0.1:9',
    TIWALA_STAFF_JWKS_URL: 'http://127.0.0.1:9/jwks',
  })
  onTestFinished(() => service.close())
  const { sign } = await startProvider({})
  expect((await readSession(bearer(await sign(ANA, AUDIENCE)), service)).status).toBe(503)
})

test('the service names the issuer of the tokens, and not that of its own sandbox', async () => {
  const { service } = await startLive()
  const read = async (url: string) =>
    (await fetch(`${url}/.well-known/oauth-protected-resource${PATH}`)).json() as Promise<object>
  expect(await read(service.url)).toMatchObject({
    resource: service.url + PATH,
    authorization_servers: [service.config.staffIdentity.issuer],
  })
  expect(await read(sandbox.url)).toMatchObject({ authorization_servers: [] })
})
