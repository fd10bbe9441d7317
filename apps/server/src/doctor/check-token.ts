// `tiwala doctor --token`: checks one token with the verifier of the service, and says why it is refused.
import { decodeJwt, decodeProtectedHeader, type JWTHeaderParameters, type JWTPayload } from 'jose'
import { ALGORITHMS, createVerifyIdentity, scopesOf } from '../authentication/identity-tokens.ts'
import { createKeySet } from '../authentication/key-set.ts'
import { isUniqid } from '../citizens/uniqid.ts'
import type { Config } from '../config.ts'
import { OPERATOR_SCOPES } from '../contract/documents.ts'
import { Failure } from '../failure.ts'
import { emailOf } from '../members/member.ts'
import { type Finding, note, ok, problem } from './finding.ts'

type Token = { text: string; claims: JWTPayload; header: JWTHeaderParameters }
type Provider = Config['citizenIdentity'] & {
  about: string
  setting: string
  role: 'citizen' | 'operator' | 'staff'
}

/** As the token of an administrator, of a citizen and of a partner's person. The provider that fits it is reported. */
export async function checkToken(config: Config, text: string): Promise<Finding[]> {
  const token = decode(text)
  if (!token)
    return [
      problem(
        'token',
        'is no signed JWT. Let the provider issue access tokens in this form, not opaque ones.',
      ),
    ]
  const providers: Provider[] = [
    { ...config.operatorIdentity, about: 'operator token', setting: 'TIWALA_OPERATOR', role: 'operator' },
    { ...config.citizenIdentity, about: 'citizen token', setting: 'TIWALA_CITIZEN', role: 'citizen' },
    ...(config.staffIdentity.jwksUrl
      ? [{ ...config.staffIdentity, about: 'staff token', setting: 'TIWALA_STAFF', role: 'staff' as const }]
      : []),
  ]
  const outcomes = await Promise.all(
    providers.map(async (provider) => ({ provider, failure: await verify(provider, config, token) })),
  )
  const accepted = outcomes.filter(({ failure }) => !failure)
  if (accepted.length) return accepted.map(({ provider }) => describeAccepted(provider, config, token))
  const sameIssuer = outcomes.filter(({ provider }) => provider.issuer === token.claims.iss)
  return (sameIssuer.length ? sameIssuer : outcomes).map(({ provider, failure }) =>
    problem(provider.about, `is refused. ${explain(failure!, provider, config, token)}`),
  )
}

function decode(text: string): Token | undefined {
  try {
    return { text, claims: decodeJwt(text), header: decodeProtectedHeader(text) as JWTHeaderParameters }
  } catch {
    return undefined
  }
}

async function verify(
  { jwksUrl, ...expected }: Provider,
  { identityTokenMaxHours }: Config,
  { text, claims }: Token,
): Promise<string | undefined> {
  if (!jwksUrl) return 'no provider'
  // The service checks the key first, and another issuer has other keys.
  if (claims.iss !== expected.issuer) return 'issuer'
  const { findKey } = createKeySet({ url: jwksUrl, keptMs: 60_000 })
  try {
    await createVerifyIdentity({ ...expected, maxHours: identityTokenMaxHours }, findKey)(`Bearer ${text}`)
    return undefined
  } catch (error) {
    if (error instanceof Failure) return error.reason ?? error.code
    throw error
  }
}

function describeAccepted(
  { about, role }: Provider,
  { acrValues, staffIdentity: { emailClaim } }: Config,
  { claims }: Token,
): Finding {
  const until = `until ${new Date(claims.exp! * 1_000).toISOString()}`
  if (role === 'operator') {
    const scopes = scopesOf(claims).filter((scope) => OPERATOR_SCOPES.includes(scope))
    return scopes.length
      ? ok(
          about,
          `is accepted ${until}; the actor in the audit is ${claims.sub}; scopes: ${scopes.join(' ')}`,
        )
      : problem(
          about,
          `is accepted, and has none of the scopes ${OPERATOR_SCOPES.join(' ')}. Its "scope" and ` +
            `"scp" have: ${scopesOf(claims).join(' ') || 'nothing'}. The client must ask for scopes, and the ` +
            'provider must allow them to this person.',
        )
  }
  if (role === 'staff')
    return emailOf(claims, emailClaim)
      ? ok(about, `is accepted ${until} for the member with the sub ${claims.sub}`)
      : note(
          about,
          `is accepted ${until} for the member with the sub ${claims.sub}, but only after a sign-in in the browser: ` +
            `it has no verified email address (${emailClaim}), by which an invitation finds its person`,
        )
  if (!isUniqid(claims.sub!))
    return problem(
      about,
      `has the sub ${claims.sub}, which can be no uniqid of the registry. Map the uniqid to "sub".`,
    )
  const { acr } = claims
  const reaches = typeof acr === 'string' && acrValues.includes(acr)
  const text = `is accepted ${until} for the citizen with the uniqid ${claims.sub}`
  return reaches
    ? ok(about, `${text}; acr ${acr}`)
    : note(about, `${text}; its acr is none of TIWALA_ACR_VALUES, so it signs in only where none is demanded`)
}

const show = (value: unknown) => (value === undefined ? 'missing' : JSON.stringify(value))

/** What the token has, what the service needs, and what to change. */
function explain(failure: string, provider: Provider, config: Config, { claims, header }: Token): string {
  const { setting, issuer, audience, jwksUrl } = provider
  const { iss, aud, sub, iat, exp, nbf } = claims
  const hours = config.identityTokenMaxHours
  const times = `Its iat is ${showTime(iat)}, nbf ${showTime(nbf)}, exp ${showTime(exp)}; now is ${new Date().toISOString()}.`
  const texts: Record<string, string> = {
    'no provider': `${setting}_JWKS_URL is not set, so only tokens of the sandbox are accepted.`,
    issuer: `Its iss is ${show(iss)}, and ${setting}_ISSUER is ${show(issuer)}: they must be equal, also at the end.`,
    audience:
      `Its aud is ${show(aud)}, and ${setting}_AUDIENCE is ${show(audience)}. Let the provider add this ` +
      'audience to access tokens, or change the setting. An ID token is no access token.',
    token_expired: `It has expired. ${times}`,
    time:
      `iat and exp are needed, exp at most ${hours} hours after iat (TIWALA_IDENTITY_TOKEN_MAX_HOURS), and no ` +
      `time may be in the future but exp. ${times}`,
    sub: `Its sub is ${show(sub)}. It needs 1 to 255 visible characters.`,
    typ: `Its header has the typ ${show(header.typ)}${'events' in claims ? ', and it has the claim "events"' : ''}. Access tokens have JWT, at+jwt or none.`,
    algorithm: `Its alg is ${show(header.alg)}, and the service accepts ${ALGORITHMS.join(', ')}. A refresh token is no access token.`,
    key: `${setting}_JWKS_URL (${jwksUrl}) has no key with the kid ${show(header.kid)}. Is it of this issuer?`,
    signature: `Its signature is not by the key ${show(header.kid)} of ${setting}_JWKS_URL. Was the token changed?`,
    unavailable: `The keys at ${jwksUrl} cannot be fetched or used. "tiwala doctor" without --token says why.`,
  }
  return texts[failure] ?? 'It has no form that the service reads.'
}

const showTime = (seconds: number | undefined) =>
  typeof seconds === 'number' ? new Date(seconds * 1_000).toISOString() : show(seconds)
