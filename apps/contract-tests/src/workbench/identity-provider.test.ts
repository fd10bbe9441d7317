// Sign-in to the workbench at an identity provider of its own, over HTTP: what it must say of a person, and what happens
// when it says something else.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { expect, onTestFinished, test } from 'vitest'
import { createBrowser } from '../kit/sign-in-browser.ts'
import { startServiceForFile, startTestService } from '../kit/test-service.ts'

type Claims = Record<string, unknown>

/** Signs every browser in at once, as the person of `claims`. `requests`: the bodies that its token endpoint got. */
async function startProvider(claims: Claims, { signWith = 'own' }: { signWith?: 'own' | 'other' } = {}) {
  const [own, other] = [await generateKeyPair('ES256'), await generateKeyPair('ES256')]
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'k1', alg: 'ES256' }
  const requests: { body: string; authorization: string | undefined }[] = []
  let nonce = ''
  const server = createServer((req, res) => {
    void (async () => {
      const url = new URL(req.url!, issuer)
      const json = (value: object) => {
        res.setHeader('Content-Type', 'application/json')
        res.end(JSON.stringify(value))
      }
      if (url.pathname === '/.well-known/openid-configuration')
        return json({
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/jwks`,
          id_token_signing_alg_values_supported: ['ES256'],
        })
      if (url.pathname === '/jwks') return json({ keys: [jwk] })
      if (url.pathname === '/authorize') {
        nonce = url.searchParams.get('nonce')!
        const target = new URL(url.searchParams.get('redirect_uri')!)
        target.search = String(new URLSearchParams({ code: 'c', state: url.searchParams.get('state')! }))
        return void res.writeHead(302, { Location: target.href }).end()
      }
      let body = ''
      for await (const chunk of req) body += String(chunk)
      requests.push({ body, authorization: req.headers.authorization })
      const id_token = await new SignJWT({ nonce, ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
        .setIssuer(issuer)
        .setSubject((claims['sub'] as string | undefined) ?? 'person-1')
        .setAudience('tiwala-workbench')
        .setIssuedAt()
        .setExpirationTime('5m')
        .sign((signWith === 'own' ? own : other).privateKey)
      return json({ access_token: 'a', token_type: 'Bearer', id_token })
    })()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { issuer, requests }
}

/** A service with this provider, a partner that has invited the address, and a browser that has signed in. */
async function signInAt(issuer: string, settings: Record<string, string> = {}) {
  const service = await startTestService({ TIWALA_STAFF_ISSUER: issuer, ...settings })
  onTestFinished(() => service.close())
  const { code } = await service.partner()
  await service.operator('invitePartnerMember', {
    path: { partner_code: code },
    body: { email: 'ana@hotel.example', role: 'admin' },
  })
  return { service, code, response: await signInOnce(service.url) }
}

/** The response at the end of a sign-in, or at its begin if that does not lead to the provider. */
async function signInOnce(url: string): Promise<Response> {
  const browser = createBrowser(url)
  const begin = await browser.request(`${url}/workbench/sign-in`)
  const toProvider = begin.headers.get('location')
  if (!toProvider) return begin
  const back = await fetch(toProvider, { redirect: 'manual' })
  return browser.request(back.headers.get('location')!)
}

test('303: a verified address finds its invitation, with PKCE and the secret of the client', async () => {
  const { issuer, requests } = await startProvider({ email: 'Ana@hotel.example', email_verified: true })
  const { response, service, code } = await signInAt(issuer, { TIWALA_STAFF_CLIENT_SECRET: 'secret' })
  expect([response.status, response.headers.get('location')]).toEqual([303, '/workbench/'])
  expect(requests[0]!.body).toMatch(/code_verifier=[\w-]{43,}/)
  expect(`${requests[0]!.body} ${requests[0]!.authorization}`).toMatch(/client_secret=secret|Basic /)
  const { body } = await service.operator('listPartnerMembers', { path: { partner_code: code } })
  expect(body.members).toMatchObject([{ email: 'ana@hotel.example', status: 'ACTIVE' }])
})

test.each([
  ['an address that is not verified', { email: 'ana@hotel.example', email_verified: false }, 'not verified'],
  ['an address without a word on it', { email: 'ana@hotel.example' }, 'not verified'],
  ['no address', {}, 'does not send your email address'],
  ['another address', { email: 'other@hotel.example', email_verified: true }, 'invite you'],
])('403: %s', async (_what, claims, text) => {
  const { response } = await signInAt((await startProvider(claims)).issuer)
  expect([response.status, await response.text()]).toEqual([403, expect.stringContaining(text)])
  expect(response.headers.getSetCookie().join()).not.toMatch(/tiwala-workbench=\w/)
})

test('403: another person with the address of a member; 303: the member with another address', async () => {
  const person: Claims = { sub: 'person-1', email: 'ana@hotel.example', email_verified: true }
  const { service, response } = await signInAt((await startProvider(person)).issuer)
  person['sub'] = 'person-2'
  const other = await signInOnce(service.url)
  Object.assign(person, { sub: 'person-1', email: 'new@hotel.example' })
  const again = await signInOnce(service.url)
  expect([response.status, other.status, again.status]).toEqual([303, 403, 303])
})

test('303: another claim that the operator names counts as verified', async () => {
  const { issuer } = await startProvider({ upn: 'ana@hotel.example' })
  const { response } = await signInAt(issuer, { TIWALA_STAFF_EMAIL_CLAIM: 'upn' })
  expect(response.status).toBe(303)
})

test.each([
  ['a nonce of another sign-in', { nonce: 'other' }, {}],
  ['the signature of another key', {}, { signWith: 'other' as const }],
])('400: %s', async (_what, claims, options) => {
  const person = { email: 'ana@hotel.example', email_verified: true, ...claims }
  const { response } = await signInAt((await startProvider(person, options)).issuer)
  expect([response.status, await response.text()]).toEqual([
    400,
    expect.stringContaining('did not sign you in'),
  ])
})

test('503: the provider cannot be reached', async () => {
  const { response } = await signInAt('http://127.0.0.1:9')
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
})

test('the sandbox has no page of its own provider beside it', async () => {
  const service = await startServiceForFile({ TIWALA_STAFF_ISSUER: 'http://127.0.0.1:9' })
  expect((await fetch(`${service.url}/sandbox/staff`)).status).toBe(404)
})
