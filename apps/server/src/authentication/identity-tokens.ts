import {
  createLocalJWKSet,
  errors,
  type JWTHeaderParameters,
  type JWTPayload,
  jwtVerify,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
} from 'jose'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { Failure } from '../failure.ts'
import { keyFetches } from '../metrics/registry.ts'
import type { KeyRing } from '../secrets/key-ring.ts'
import { type FetchResult, startKeySet } from './key-set.ts'

export const SANDBOX_ISSUER = 'https://sandbox-identity.tiwala.invalid'
/** The issuer of the people of the sandbox's partners. */
export const SANDBOX_STAFF_ISSUER = 'https://sandbox-staff.tiwala.invalid'
/** The claim that limits an operator's token to one partner. Only the sandbox's own provider signs it. */
export const ONLY_PARTNER = 'tiwala_only_partner'
/** Long, so that people can copy the sandbox's tokens into their tools. */
export const SANDBOX_TOKEN_DAYS = 30
/** `Ed25519` is the new name of `EdDSA` with this curve (RFC 9864). */
export const ALGORITHMS = ['Ed25519', 'EdDSA', 'ES256', 'PS256', 'RS256']
/** Bounds the cost of a forged token: without a `kid`, every key of the provider may fit it. */
const MAX_KEYS_TRIED = 32
/**
 * Access tokens (RFC 9068) and plain JWTs. Other kinds, such as a logout token, have another `typ` (RFC 8725
 * section 3.11).
 */
const TYPES = new Set(['jwt', 'at+jwt'])
/** How far the provider's clock may be ahead of the server's. */
export const CLOCK_TOLERANCE_SECONDS = 30
const HOUR_MS = 3_600_000
const HOUR_SECONDS = 3_600

type Provider = 'citizen' | 'operator' | 'staff'
export type VerifyIdentity = (authorization: string | undefined) => Promise<JWTPayload>
export type Identities = {
  verifyCitizen: VerifyIdentity
  verifyOperator: VerifyIdentity
  /** `undefined`: the service accepts no tokens of members. */
  verifyStaff: VerifyIdentity | undefined
  /** Whether the provider's keys are known, so that its tokens can be checked. The service is ready without those of members. */
  hasKeys: Record<'citizen' | 'operator', () => boolean>
  stop(): Promise<void>
}

/**
 * The identity providers of citizens, of operators and of members. Without a configured one, the sandbox uses its own.
 */
export function startIdentities(config: Config, keys: KeyRing, log: Logger): Identities {
  const { citizenIdentity, operatorIdentity, staffIdentity, identityKeysKeptHours, identityTokenMaxHours } =
    config
  const stops: (() => Promise<void>)[] = []
  const hasKeys = { citizen: () => true, operator: () => true, staff: () => true }
  const verifierOf = (provider: Provider, identity: Config['citizenIdentity']) => {
    if (!identity.jwksUrl)
      return createVerifyIdentity({ ...identity, maxHours: SANDBOX_TOKEN_DAYS * 24 }, sandboxKeySet(keys))
    const keySet = startKeySet({
      url: identity.jwksUrl,
      keptMs: identityKeysKeptHours * HOUR_MS,
      onFetched: logFetches(provider, log),
    })
    stops.push(keySet.stop)
    hasKeys[provider] = keySet.hasKeys
    return createVerifyIdentity({ ...identity, maxHours: identityTokenMaxHours }, keySet.findKey)
  }
  return {
    verifyCitizen: verifierOf('citizen', citizenIdentity),
    verifyOperator: verifierOf('operator', operatorIdentity),
    verifyStaff: hasMemberTokens(config)
      ? verifierOf('staff', { ...staffIdentity, issuer: staffIdentity.issuer ?? SANDBOX_STAFF_ISSUER })
      : undefined,
    hasKeys,
    stop: async () => void (await Promise.all(stops.map((stop) => stop()))),
  }
}

/** Whether the service itself is the identity provider of the partners' people. */
export const hasSandboxStaff = ({ environment, staffIdentity }: Config) =>
  environment === 'sandbox' && !staffIdentity.issuer

/** Whether the service accepts access tokens of members. */
export const hasMemberTokens = (config: Config) =>
  config.staffIdentity.jwksUrl !== undefined || hasSandboxStaff(config)

const issuerOf = ({ issuer }: { issuer: string | undefined }) => issuer ?? SANDBOX_ISSUER

/** The issuer of the tokens and the sessions of administrators. */
export const operatorIssuer = ({ operatorIdentity }: Config) => issuerOf(operatorIdentity)

type Expected = Pick<Config['citizenIdentity'], 'issuer' | 'audience'> & { maxHours: number }

/** Checks tokens of an identity provider (OIDC) with its keys. */
export function createVerifyIdentity(
  { issuer, audience, maxHours }: Expected,
  findKey: JWTVerifyGetKey,
): VerifyIdentity {
  const options = {
    issuer: issuerOf({ issuer }),
    audience,
    algorithms: ALGORITHMS,
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
  }
  return async (authorization) => {
    const token = readBearer(authorization)
    try {
      const { payload, protectedHeader } = await verifyWithAnyKey(token, findKey, options)
      if (!isOfKnownType(protectedHeader, payload)) throw invalid('typ')
      if (!hasBoundedLife(payload, maxHours)) throw invalid('time')
      if (!isNameOfPerson(payload.sub)) throw invalid('sub')
      // The tolerance is for a provider whose clock is ahead. It does not make a token live longer.
      if (payload.exp! <= nowSeconds()) throw new Failure('token_expired')
      return payload
    } catch (error) {
      if (error instanceof Failure) throw error
      if (error instanceof errors.JWTExpired) throw new Failure('token_expired')
      if (areKeysUnusable(error)) throw new Failure('unavailable', { retryAfterSeconds: 5, cause: error })
      throw invalid(reasonOf(error))
    }
  }
}

/** Tries each key that fits, if several of the provider have the `kid` of the token, or it has none. */
export async function verifyWithAnyKey(token: string, findKey: JWTVerifyGetKey, options: JWTVerifyOptions) {
  try {
    return await jwtVerify(token, findKey, options)
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
    let tried = 0
    let failure: unknown = new errors.JWKSInvalid('No key that fits can be used')
    for await (const key of error) {
      if (++tried > MAX_KEYS_TRIED) throw invalid(`more than ${MAX_KEYS_TRIED} keys fit`)
      try {
        return await jwtVerify(token, key, options)
      } catch (keyError) {
        if (keyError instanceof errors.JWSSignatureVerificationFailed) failure = keyError
        // The key itself cannot be used, for example because it is too short.
        else if (keyError instanceof errors.JOSEError) throw keyError
      }
    }
    throw failure
  }
}

const invalid = (reason: string) => new Failure('token_invalid', { reason })

const REASON_OF_CLAIM: Record<string, string> = {
  aud: 'audience',
  iss: 'issuer',
  exp: 'time',
  iat: 'time',
  nbf: 'time',
}

/** For the log: which check of the token failed. */
function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTClaimValidationFailed) return REASON_OF_CLAIM[error.claim] ?? error.claim
  if (error instanceof errors.JOSEAlgNotAllowed) return 'algorithm'
  if (error instanceof errors.JWKSNoMatchingKey) return 'key'
  return error instanceof errors.JWSSignatureVerificationFailed ? 'signature' : 'format'
}

/**
 * The scopes of a token: a text separated by spaces (RFC 9068) or a list, in `scope` or, from some providers,
 * in `scp`.
 */
export const scopesOf = ({ scope, scp }: JWTPayload): string[] =>
  [scope, scp].flat().flatMap((entry: unknown) => (typeof entry === 'string' ? entry.split(' ') : []))

const nowSeconds = () => Math.floor(Date.now() / 1000)

/**
 * A logout token may have the `typ` of a JWT, but it has the claim `events` (RFC 8417, OpenID Connect
 * Back-Channel Logout section 2.4).
 */
const isOfKnownType = ({ typ }: JWTHeaderParameters, payload: JWTPayload) =>
  !('events' in payload) &&
  (typ === undefined ||
    (typeof typ === 'string' && TYPES.has(typ.toLowerCase().replace(/^application\//, ''))))

/** Whether a claim is a time that has come. In milliseconds, it would be in the future. */
export const isPastTime = (claim: unknown): claim is number =>
  typeof claim === 'number' && claim >= 0 && claim <= nowSeconds() + CLOCK_TOLERANCE_SECONDS

/** Both times are required, `iat` must be in the past, and `exp` at most `maxHours` after it. */
const hasBoundedLife = ({ iat, exp }: JWTPayload, maxHours: number) =>
  isPastTime(iat) && typeof exp === 'number' && exp - iat <= maxHours * HOUR_SECONDS

/**
 * Whether a claim can name a person in the audit and to people: 1 to 255 characters (OpenID Connect Core, section 2),
 * none of them invisible.
 */
export const isNameOfPerson = (claim: unknown): claim is string =>
  typeof claim === 'string' &&
  claim !== '' &&
  claim.length <= 255 &&
  !/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u.test(claim)

/** The provider's keys are missing or cannot be used, so the token may still be valid. */
const areKeysUnusable = (error: unknown) =>
  !(error instanceof errors.JOSEError) || error instanceof errors.JWKSInvalid

const KEYS_NOT_FETCHED =
  'identity provider keys could not be fetched; known keys stay in use for some hours; ' +
  'check the provider and its JWKS URL with tiwala doctor'

/** Counts each fetch, and logs each failure, and the first success after failures. */
function logFetches(provider: Provider, log: Logger): (result: FetchResult) => void {
  // So that an alert can see that no fetch has ever succeeded.
  for (const outcome of ['fetched', 'failed']) keyFetches.inc({ provider, outcome }, 0)
  let failuresBefore = 0
  return ({ failures, reason }) => {
    keyFetches.inc({ provider, outcome: failures ? 'failed' : 'fetched' })
    if (failures) log.warn({ provider, failures, reason }, KEYS_NOT_FETCHED)
    else if (failuresBefore) log.info({ provider }, 'identity provider keys were fetched again')
    failuresBefore = failures
  }
}

/** Strictly by RFC 6750 section 2.1: the validator alone would let `Basic bearer` pass. */
export function readBearer(authorization: string | undefined): string {
  if (!authorization) throw new Failure('token_missing')
  const [, token] = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization) ?? []
  if (!token) throw invalid('format')
  return token
}

function sandboxKeySet(keys: KeyRing): JWTVerifyGetKey {
  const sandboxIssuer = keys.sandboxIssuer()
  if (!sandboxIssuer)
    throw new Error('No identity provider is configured. Set its issuer and the URL of its keys.')
  const { d: _private, ...publicKey } = sandboxIssuer
  return createLocalJWKSet({ keys: [publicKey] })
}
