// An identity provider of the sandbox: OpenID Connect, authorization code with PKCE. Its page lists people, and each link
// brings a code of that person back. Discovery, keys and tokens are for this process only (`fetch`), so they have no
// address.
import { hash } from 'node:crypto'
import type { RequestHandler } from 'express'
import { createLocalJWKSet, importJWK, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { Failure } from '../failure.ts'
import { escapeHtml, renderPage } from '../http/pages/render-page.ts'
import { protectOwnPages } from '../http/pipeline/security-headers.ts'
import type { ProviderSettings } from '../http/sign-in/identity-provider.ts'
import { isOwnHost } from '../network/addresses.ts'
import type { Service } from '../operation.ts'

const CODE_AUDIENCE = 'code'
const CODE_LIFETIME = '10m'

/** `what`: said of the person beside the link. */
export type SandboxPerson = { email: string; what: string }
export type SandboxProvider = { provider: ProviderSettings; path: string; page: RequestHandler[] }

type People = {
  /** The page of the provider, such as `/sandbox/staff`. */
  path: string
  issuer: string
  clientId: string
  /** Where a code may go, apart from names of the own machine. */
  origins: string[]
  /** The page to sign in to, such as `/workbench`. */
  signInPath: string
  /** Who the people are: HTML. */
  lead: string
  findPeople: (loginHint: string | undefined) => Promise<SandboxPerson[]>
  accessTokenOf: (email: string) => Promise<string>
}

export function sandboxProvider(service: Service, people: People): SandboxProvider {
  const { config, keys } = service
  const { path, issuer, clientId, signInPath, lead } = people
  const { d: _private, ...publicKey } = keys.sandboxIssuer()!
  const keySet = createLocalJWKSet({ keys: [publicKey] })

  const sign = async (claims: JWTPayload, audience: string) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'EdDSA', kid: publicKey.kid! })
      .setIssuer(issuer)
      .setAudience(audience)
      .setExpirationTime(CODE_LIFETIME)
      .setIssuedAt()
      .sign(await importJWK(keys.sandboxIssuer()!, 'EdDSA'))

  /** The codes go to this service only. */
  function isCallback(text: string): boolean {
    const url = URL.parse(text)
    if (!url || text !== `${url.origin}${signInPath}/callback`) return false
    return people.origins.includes(url.origin) || (!config.hasPublicUrl && isOwnHost(url.hostname))
  }

  const showPeople: RequestHandler = async (req, res) => {
    const { redirect_uri, state, nonce, code_challenge, login_hint } = req.query
    const isText = [redirect_uri, state, nonce, code_challenge].every((value) => typeof value === 'string')
    if (!isText || !isCallback(redirect_uri as string))
      throw new Failure('validation_failed', { message: `Begin at ${signInPath}/sign-in` })
    const found = await people.findPeople(typeof login_hint === 'string' ? login_hint : undefined)
    const links = found.map(async ({ email, what }) => {
      const code = await sign({ email, nonce, code_challenge, redirect_uri }, CODE_AUDIENCE)
      const query = new URLSearchParams({ code, state: state as string, iss: issuer })
      const url = `${redirect_uri as string}?${String(query)}`
      return `<li><a class="button" href="${escapeHtml(url)}"><strong>${escapeHtml(email)}</strong> <span class="soft small">${what}</span></a></li>`
    })
    const page = renderPage(
      'Sign in (sandbox)',
      `<h1>Who are you?</h1>
      <p class="lead">${lead}</p>
      <ul class="plain">${(await Promise.all(links)).join('')}</ul>`,
      { isLive: false },
    )
    res.set('Cache-Control', 'no-store').type('html').send(page)
  }

  const redeem = async (form: URLSearchParams) => {
    const { payload } = await jwtVerify(form.get('code') ?? '', keySet, { issuer, audience: CODE_AUDIENCE })
    const { nonce, code_challenge, redirect_uri } = payload
    const email = payload['email'] as string
    const challenge = hash('sha256', form.get('code_verifier') ?? '', 'base64url')
    if (challenge !== code_challenge || form.get('redirect_uri') !== redirect_uri)
      throw new Error('invalid_grant')
    return {
      access_token: await people.accessTokenOf(email),
      token_type: 'Bearer',
      id_token: await sign({ sub: email, email, email_verified: true, nonce }, clientId),
    }
  }

  const answers: Record<string, (init: RequestInit) => Promise<object> | object> = {
    '/.well-known/openid-configuration': () => ({
      issuer,
      authorization_endpoint: `${config.publicUrl}${path}`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['EdDSA'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    }),
    '/jwks': () => ({ keys: [publicKey] }),
    '/token': ({ body }) => redeem(new URLSearchParams(body as URLSearchParams)),
  }
  const fetch = async (url: string, init: RequestInit) => {
    const answer = answers[new URL(url).pathname]
    if (!answer) return Response.json({}, { status: 404 })
    try {
      return Response.json(await answer(init))
    } catch {
      return Response.json({ error: 'invalid_grant' }, { status: 400 })
    }
  }
  return {
    provider: { issuer, clientId, clientSecret: undefined, fetch },
    path,
    page: [protectOwnPages, showPeople],
  }
}
