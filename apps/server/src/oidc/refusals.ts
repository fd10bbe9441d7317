// Refused requests of OpenID Connect: the diagnosis of each for its partner, and the limits, which the two operations
// of single sign-on have, too. The library decides what it refuses; what it knows of the cause stays here.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { finished } from 'node:stream'
import type { Request, Response } from 'express'
import { rateLimit } from 'express-rate-limit'
import type { errors as Errors, KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { Recorder } from '../diagnostics/recorder.ts'
import type { CheckName, Refusal } from '../diagnostics/refusal.ts'
import type { CredentialThrottle } from '../http/load/address-limits.ts'
import { MINUTE_MS } from '../http/load/partner-limits.ts'
import { wrongCredentials } from '../metrics/registry.ts'
import { addressOf } from '../network/addresses.ts'
import type { Service } from '../operation.ts'
import { effectiveLimits, limitsOf, type OwnLimits, PARTNER_CODE } from '../partners/partner.ts'
import type { Quotas } from '../partners/usage/quotas.ts'
import { findUseToday } from '../partners/usage/usage.sql.ts'

type Cause = { check: CheckName; detail?: string | undefined }

/** What the steps of a request find out. */
type Findings = {
  /** The secret that authenticated the partner. Null: the partner used a key, or is not authenticated. */
  credentialId: number | null
  isAuthenticated: boolean
  partnerCode?: string
  secret?: string
  cause?: Cause
  refusal?: Refusal
  counted?: { key: string; limit: number }
}

const findings = new WeakMap<IncomingMessage, Findings>()

export function findingsOf(req: IncomingMessage): Findings {
  const found = findings.get(req) ?? { credentialId: null, isAuthenticated: false }
  findings.set(req, found)
  return found
}

/** The library passes on the request of Express. */
export const exchangeOf = (req: IncomingMessage) => (req as Request).exchange

export type ProtocolError = Error & {
  error: string
  statusCode: number
  error_description?: string
  error_detail?: string
}

/** By the error, if it alone says which check failed. */
const CHECK_OF_ERROR: Record<string, CheckName> = {
  invalid_client: 'credentials',
  invalid_client_metadata: 'credentials',
  invalid_redirect_uri: 'redirect_uri',
  invalid_scope: 'scope',
  invalid_grant: 'authorization_code',
  invalid_token: 'access_token',
  insufficient_scope: 'scope',
  invalid_dpop_proof: 'proof',
  use_dpop_nonce: 'proof',
  access_denied: 'consent',
  login_required: 'consent',
  consent_required: 'consent',
  interaction_required: 'consent',
  unmet_authentication_requirements: 'assurance',
  temporarily_unavailable: 'rate',
}

const TEXT_OF_CHECK: Partial<Record<CheckName, RegExp>> = {
  pkce: /PKCE|code_challenge|code_verifier/,
  proof: /DPoP|jkt|sender-constrained/,
  scope: /purpose is not granted|openid scope/,
  redirect_uri: /redirect_uri/,
}

const KEYS_UNREAD = 'your keys could not be read from your jwks_url'
const WRONG_ASSERTION = 'the client_assertion has expired, or none of your keys has signed it'

/** The statement and the adapter look these up, so that the partner learns when it was. */
const LOOKED_UP = new Set([
  'authorization code not found',
  'access token not found',
  'invalid secret provided',
])

/**
 * Why the library refused. A text that the library made of another error is left out, since it can repeat what the
 * request sent.
 */
function causeOf({ error, message, cause, error_detail, error_description }: ProtocolError): Cause {
  if (error === 'invalid_client' && cause instanceof Error)
    return {
      check: 'credentials',
      detail: cause.message === 'invalid_client_metadata' ? KEYS_UNREAD : WRONG_ASSERTION,
    }
  const isPkce = cause instanceof Error && TEXT_OF_CHECK.pkce!.test(cause.message)
  const known = cause === undefined || isPkce ? (error_detail ?? error_description) : error_description
  const text = known ?? message
  const named = Object.entries(TEXT_OF_CHECK).find(([, pattern]) => pattern.test(text))?.[0]
  const check = (named as CheckName | undefined) ?? CHECK_OF_ERROR[error] ?? 'request'
  return { check, detail: LOOKED_UP.has(text) ? undefined : text }
}

/** The limits of these endpoints are those of `generateToken` and of `authenticate`. */
const LIMIT_OF_ROUTE: Record<string, 'tokens_per_minute' | 'sign_ins_per_minute'> = {
  token: 'tokens_per_minute',
  pushed_authorization_request: 'tokens_per_minute',
  revocation: 'tokens_per_minute',
  userinfo: 'sign_ins_per_minute',
}

/** The error of a wrong credential, at the endpoints for servers. */
const WRONG_CREDENTIAL = new Set(['invalid_client', 'invalid_token'])

export type RefusedDependencies = {
  record: Recorder['record']
  throttle: CredentialThrottle
  quotas: Quotas
}

export function createRefusals(
  { db, config }: Pick<Service, 'db' | 'config'>,
  errors: typeof Errors,
  { record, throttle, quotas }: RefusedDependencies,
) {
  const tooMany = (message: string) =>
    Object.assign(new errors.TemporarilyUnavailable(message), { status: 429, statusCode: 429 })

  /** It sets `RateLimit`, `RateLimit-Policy` and `Retry-After`, as for operations. */
  const limitRequest = rateLimit({
    windowMs: MINUTE_MS,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    // Its checks are for a limit by address.
    validate: false,
    keyGenerator: (req) => findingsOf(req).counted!.key,
    limit: (req) => findingsOf(req).counted!.limit,
    handler: (_req, _res, next) => next(tooMany('too many requests in this minute')),
  })

  /** Counts a request of a partner that has authenticated. Over its limit, it is refused. */
  async function countRequest(
    { oidc: { route }, req, res }: KoaContextWithOIDC,
    partner: { code: string } & OwnLimits,
  ): Promise<void> {
    const name = LIMIT_OF_ROUTE[route]
    if (!name) return
    const limit = effectiveLimits(partner, config)[name]
    findingsOf(req).counted = { key: `${route} ${partner.code}`, limit }
    await new Promise<void>((resolve, reject) => {
      void limitRequest(req as Request, res as Response, (error) => (error ? reject(error) : resolve()))
    })
    if (route === 'token') await holdQuota(res, partner)
    exchangeOf(req).passed.push('rate')
  }

  /** The daily quota counts a code as `enforceDailyQuota` counts `generateToken`. */
  async function holdQuota(
    res: ServerResponse,
    { code, ...own }: { code: string } & OwnLimits,
  ): Promise<void> {
    const limits = limitsOf(own.limits)
    const use = limits.per_day === null ? undefined : await findUseToday(db, code, config.timeZone)
    if (!use) return
    const settle = quotas.hold({ ...use, limits })
    if (!settle) {
      res.setHeader('Retry-After', await quotas.secondsLeftToday())
      throw tooMany('the daily quota is used up')
    }
    finished(res, (cutOff) => settle(res.statusCode < 400 || Boolean(cutOff)))
  }

  /** Runs when the response is made, and before it is sent. */
  function onRefused(ctx: KoaContextWithOIDC, error: ProtocolError): void {
    const { req, oidc } = ctx
    const found = findingsOf(req)
    const claimed = found.partnerCode ?? oidc.client?.clientId ?? oidc.entities.AccessToken?.clientId
    let cause = found.cause ?? causeOf(error)
    let code = error.error
    if (WRONG_CREDENTIAL.has(code) && LIMIT_OF_ROUTE[oidc.route]) {
      wrongCredentials.inc({ kind: code === 'invalid_token' ? 'access_token' : 'secret_in_body' })
      const waitMs = throttle(addressOf(req as Request), claimed ?? req.headers.authorization)
      if (waitMs !== undefined) {
        code = 'temporarily_unavailable'
        cause = { check: cause.check, detail: 'too many wrong credentials from this address' }
        ctx.status = 429
        ctx.set('Retry-After', String(Math.ceil(waitMs / 1_000)))
        ctx.body = { error: code, error_description: cause.detail }
      }
    }
    if (claimed === undefined || !PARTNER_CODE.test(claimed)) return
    found.refusal = {
      requestId: exchangeOf(req).requestId,
      operation: `oidc/${oidc.route === 'resume' ? 'authorization' : oidc.route}`,
      failure: {
        // The error of an authorization request is a redirect (303).
        status: Math.max(400, ctx.status),
        code,
        message: '',
        check: cause.check,
      },
      passed: exchangeOf(req).passed,
      partner: { partnerCode: claimed, isAuthenticated: found.isAuthenticated },
      presented: {
        ...(found.secret !== undefined && { partner_secret: found.secret }),
        ...(typeof oidc.params?.['code'] === 'string' && {
          authorization_code: oidc.params['code'].slice(0, 200),
        }),
      },
      detail: cause.detail,
      address: addressOf(req as Request),
    }
  }

  return {
    countRequest,
    listen(provider: Provider): void {
      for (const name of EVENTS)
        provider.on(name as 'grant.error', (ctx, error) => onRefused(ctx, error as unknown as ProtocolError))
    },
    /** Stores the diagnosis of a request that was answered. Of two errors of a request, the last one was its response. */
    recordRefusal(req: IncomingMessage): void {
      const { refusal } = findingsOf(req)
      if (refusal) record(refusal)
    },
  }
}

export type Refusals = ReturnType<typeof createRefusals>

const EVENTS = [
  'authorization.error',
  'pushed_authorization_request.error',
  'grant.error',
  'userinfo.error',
  'revocation.error',
]
