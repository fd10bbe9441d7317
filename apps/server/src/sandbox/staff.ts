// The identity provider of the people of the sandbox's partners: OpenID Connect, authorization code with PKCE. Its page
// lists the people of the partner, and each link brings a code of that person back. Discovery, keys and tokens are for this
// process only (`fetch`), so they have no address.
//
// A person has an address below the domain of the partner, which no other sandbox has. This page has no
// person with any other address: otherwise a visitor could invite an address of another sandbox, and sign in there.
import { hash, randomUUID } from 'node:crypto'
import type { RequestHandler } from 'express'
import { createLocalJWKSet, importJWK, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { Failure } from '../failure.ts'
import { escapeHtml, renderPage } from '../http/pages/render-page.ts'
import { protectOwnPages } from '../http/pipeline/security-headers.ts'
import type { ProviderSettings } from '../http/sign-in/identity-provider.ts'
import { findMembers, type NewMember } from '../members/member.sql.ts'
import type { MemberRole } from '../members/member.ts'
import { isOwnHost } from '../network/addresses.ts'
import type { Service } from '../operation.ts'
import { mintMemberId } from '../secrets/tokens.ts'
import { DEFAULT_ID, findSandbox, type Sandbox } from './sandboxes.sql.ts'

export const STAFF_PATH = '/sandbox/staff'
const ISSUER = 'https://sandbox-staff.tiwala.invalid'
const CLIENT_ID = 'tiwala-workbench'
const CODE_AUDIENCE = 'code'
const CODE_LIFETIME = '10m'
const CALLBACK = '/workbench/callback'

const STAFF: readonly MemberRole[] = ['admin', 'developer', 'viewer']
const domainOf = (partnerCode: string) => `${partnerCode.toLowerCase().replaceAll('_', '-')}.example`

/** The people of a sandbox, one for each role. */
export const staffOf = (partnerId: number, partnerCode: string): NewMember[] =>
  STAFF.map((role) => ({
    partnerId,
    memberId: mintMemberId(),
    email: `${role}@${domainOf(partnerCode)}`,
    role,
  }))

export function sandboxStaff(service: Service): { provider: ProviderSettings; page: RequestHandler[] } {
  const { db, config, keys } = service
  const { d: _private, ...publicKey } = keys.sandboxIssuer()!
  const keySet = createLocalJWKSet({ keys: [publicKey] })

  const sign = async (claims: JWTPayload, audience: string) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'EdDSA', kid: publicKey.kid! })
      .setIssuer(ISSUER)
      .setAudience(audience)
      .setExpirationTime(CODE_LIFETIME)
      .setIssuedAt()
      .sign(await importJWK(keys.sandboxIssuer()!, 'EdDSA'))

  /** A server that others can reach shows the default sandbox to every visitor, who must not disturb the others. */
  const isShown = ({ sandbox_id }: Sandbox, role: MemberRole) =>
    sandbox_id !== DEFAULT_ID || config.isLocalSandbox || role === 'viewer'

  const showPeople: RequestHandler = async (req, res) => {
    const { redirect_uri, state, nonce, code_challenge, login_hint = DEFAULT_ID } = req.query
    const parameters = [redirect_uri, state, nonce, code_challenge, login_hint]
    if (
      !parameters.every((value) => typeof value === 'string') ||
      !isCallback(service, redirect_uri as string)
    )
      throw new Failure('validation_failed', { message: 'Begin at /workbench/sign-in' })
    const sandbox = await findSandbox(db, login_hint as string)
    if (!sandbox) throw new Failure('not_found', { message: 'This sandbox has ended.' })
    const members = await findMembers(db, sandbox.partner_id, { isComplete: false })
    const domain = `@${domainOf(sandbox.partner_code)}`
    const people = members.filter(({ email, role }) => email.endsWith(domain) && isShown(sandbox, role))
    const links = people.map(async ({ email, role }) => {
      const code = await sign({ email, nonce, code_challenge, redirect_uri }, CODE_AUDIENCE)
      const query = new URLSearchParams({ code, state: state as string, iss: ISSUER })
      const url = `${redirect_uri as string}?${String(query)}`
      return `<li><a class="button" href="${escapeHtml(url)}">${escapeHtml(email)}</a> ${role}</li>`
    })
    const page = renderPage(
      'Sign in (sandbox)',
      `<h1>Who are you?</h1>
      <p class="lead">This page stands for the identity provider of the partner's staff. These people exist only in the
      sandbox.</p>
      <ul class="plain">${(await Promise.all(links)).join('')}</ul>`,
      { isLive: false },
    )
    res.set('Cache-Control', 'no-store').type('html').send(page)
  }

  const redeem = async (form: URLSearchParams) => {
    const { payload } = await jwtVerify(form.get('code') ?? '', keySet, {
      issuer: ISSUER,
      audience: CODE_AUDIENCE,
    })
    const { email, nonce, code_challenge, redirect_uri } = payload
    const challenge = hash('sha256', form.get('code_verifier') ?? '', 'base64url')
    if (challenge !== code_challenge || form.get('redirect_uri') !== redirect_uri)
      throw new Error('invalid_grant')
    const claims = { sub: email as string, email, email_verified: true, nonce }
    return { access_token: randomUUID(), token_type: 'Bearer', id_token: await sign(claims, CLIENT_ID) }
  }

  const answers: Record<string, (init: RequestInit) => Promise<object> | object> = {
    '/.well-known/openid-configuration': () => ({
      issuer: ISSUER,
      authorization_endpoint: `${config.publicUrl}${STAFF_PATH}`,
      token_endpoint: `${ISSUER}/token`,
      jwks_uri: `${ISSUER}/jwks`,
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
    provider: { issuer: ISSUER, clientId: CLIENT_ID, clientSecret: undefined, fetch },
    page: [protectOwnPages, showPeople],
  }
}

/** The codes go to this service only. */
function isCallback({ config }: Service, text: string): boolean {
  const url = URL.parse(text)
  if (!url || text !== url.origin + CALLBACK) return false
  return url.origin === config.publicUrl || (!config.hasPublicUrl && isOwnHost(url.hostname))
}
