// An identity provider over HTTP that signs a browser in without a question.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { onTestFinished } from 'vitest'
import { createBrowser } from './browser.ts'

export type Claims = Record<string, unknown>

type Options = {
  signWith?: 'own' | 'other'
  clientId?: string
  /** The claims of the access token. Without them, it is no JWT. */
  access?: Claims
  /** Publishes its key without a `kid` beside another one. */
  hasNoKid?: boolean
  /** How a client may send its secret. */
  authenticationMethods?: string[]
  /** Sends the browser back with this error. */
  error?: string
  /** Cannot be used, for as long as this is true. */
  isDown?: boolean
  /** The token endpoint waits for it before it sends a response. */
  held?: Promise<void>
}

/**
 * Signs every browser in at once, as the person of `claims`. `requests`: the bodies that its token endpoint got. `sign`: a
 * token of it.
 */
export async function startProvider(claims: Claims, options: Options = {}) {
  const { signWith = 'own', clientId = 'tiwala-workbench', access, error } = options
  const [own, other] = [await generateKeyPair('ES256'), await generateKeyPair('ES256')]
  const kid = options.hasNoKid ? undefined : 'k1'
  const ownKey = { ...(await exportJWK(own.publicKey)), kid, alg: 'ES256' }
  const keys = options.hasNoKid ? [await exportJWK(other.publicKey), ownKey] : [ownKey]
  const requests: { body: string; authorization: string | undefined }[] = []
  let nonce = ''
  const sign = (payload: Claims, audience: string, type?: string, lifetime = '5m') =>
    new SignJWT(payload)
      .setProtectedHeader({ alg: 'ES256', ...(kid && { kid }), ...(type && { typ: type }) })
      .setIssuer(issuer)
      .setSubject((payload['sub'] as string | undefined) ?? 'person-1')
      .setAudience((payload['aud'] as string | undefined) ?? audience)
      .setIssuedAt()
      .setExpirationTime(lifetime)
      .sign((signWith === 'own' ? own : other).privateKey)
  const server = createServer((req, res) => {
    void (async () => {
      if (options.isDown) return void res.writeHead(503).end()
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
          device_authorization_endpoint: `${issuer}/device`,
          jwks_uri: `${issuer}/jwks`,
          token_endpoint_auth_methods_supported: options.authenticationMethods,
          id_token_signing_alg_values_supported: ['ES256'],
        })
      if (url.pathname === '/jwks') return json({ keys })
      if (url.pathname === '/device')
        return json({
          device_code: 'device',
          user_code: 'ABCD-EFGH',
          verification_uri: `${issuer}/verify`,
          expires_in: 60,
          interval: 1,
        })
      if (url.pathname === '/authorize') {
        nonce = url.searchParams.get('nonce')!
        const target = new URL(url.searchParams.get('redirect_uri')!)
        const outcome = error === undefined ? { code: 'c' } : { error, error_description: 'of ana' }
        target.search = String(new URLSearchParams({ ...outcome, state: url.searchParams.get('state')! }))
        return void res.writeHead(302, { Location: target.href }).end()
      }
      let body = ''
      for await (const chunk of req) body += String(chunk)
      requests.push({ body, authorization: req.headers.authorization })
      await options.held
      const id_token = await sign({ nonce, ...claims }, clientId)
      const access_token = access ? await sign(access, 'tiwala-operator', 'at+jwt') : 'a'
      const isDevice = body.includes('device_code')
      return json({ access_token, token_type: 'Bearer', ...(!isDevice && { id_token }) })
    })()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { issuer, requests, sign }
}

/** The response at the end of a sign-in, or at its begin if that does not lead to the provider. */
export async function signInOnce(url: string, path: string): Promise<Response> {
  const browser = createBrowser(url)
  const begin = await browser.request(`${url}${path}/sign-in`)
  const toProvider = begin.headers.get('location')
  if (!toProvider) return begin
  const back = await fetch(toProvider, { redirect: 'manual' })
  return browser.request(back.headers.get('location')!)
}
