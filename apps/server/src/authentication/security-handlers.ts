// Authentication: establishes the caller of a request before the validator looks at its parameters and body.
// If the secret is in the body (`generateToken`), the validation of the body comes first.
//
// The order of the checks. The first that fails decides the refusal, and the later ones do not run:
// 1. credential present: `401 credentials_missing`, `401 token_missing`.
// 2. partner secrets only: the request does not come from a web page: `403 browser_use_forbidden`.
// 3. credential valid: `401 credentials_invalid`, `403 partner_invalid`, `401 token_invalid`, `token_used`,
//    `token_expired`. A wrong code and a wrong secret cannot be told apart.
// 4. partners only: the partner is active: `403 partner_suspended`.
// 5. partners only: the address is in the partner's list: `403 ip_not_allowed`.
// 6. operators only: the token has the scope of the operation: `403 scope_not_granted`.
// After authentication follow the validation of the request, the limits of the partner and its scope
// (`http/partner-limits.ts`, `http/dispatch.ts`).
//
// Guarantee: a handler reads, and uses nothing up. Only the statement of the operation does that.
import type { Body } from '@tiwala/contract'
import type { Request, RequestHandler } from 'express'
import { Failure } from '../failure.ts'
import type { Service } from '../operation.ts'
import { partnerPolicyOf } from '../operations.ts'
import { requireAllowedAddress } from '../partners/allow-list.ts'
import { decryptAccessToken } from '../sso/access-token.ts'
import { authenticateAccessToken } from './authenticate-access-token.ts'
import { authenticatePartner, hasSecretForm, type PartnerSecret } from './authenticate-partner.ts'
import type { Claims } from './claims.ts'
import { type Identities, readBearer } from './identity-tokens.ts'

export type SecurityHandler = (req: Request, scopes: string[]) => Promise<boolean>
/** `isFresh`: the caller is read from the database, not from a cache. */
type Freshness = { isFresh: boolean }
type Authenticate<Caller> = (
  req: Request,
  scopes: string[],
  freshness: Freshness,
) => Promise<{ caller: Caller; loaded?: unknown }>

/**
 * One handler for each security scheme of the documents, and one for the operation whose secret is in the
 * body. The validator calls the handlers before it validates the request, so they must not use anything up.
 * Each sets `req.caller`, `req.loaded` and `req.reauthenticate`, or throws the refusal.
 */
export function createSecurityHandlers(service: Service, identities: Identities, claims: Claims) {
  /** `nameOf`: the name by which the admission control counts the requests of a caller. */
  const createHandler =
    <Caller>(authenticate: Authenticate<Caller>, nameOf: (caller: Caller) => string) =>
    async (req: Request, scopes: string[]) => {
      try {
        const work = () => authenticate(req, scopes, { isFresh: false })
        const { caller, loaded } = await req.slot.keepDuring(work)
        req.caller = caller
        req.loaded = loaded
        const reauthenticate = async () => (await authenticate(req, scopes, { isFresh: true })).caller
        req.reauthenticate = reauthenticate
        req.slot.assign(claims.confirm(req, nameOf(caller)))
        return true
      } catch (refusal) {
        req.refusal = refusal
        if (refusal instanceof Failure && refusal.status < 500) claims.withdraw(req)
        throw refusal
      }
    }

  const partner = ({ id }: { id: number }) => `partner ${id}`
  const securityHandlers: Record<string, SecurityHandler> = {
    // The two headers are one credential; the handler of the second header checks both.
    secretCode: async (req) => Boolean(req.get('x-secret-code')),
    secretToken: createHandler(byHeaders(service), partner),
    accessToken: createHandler(byAccessToken(service), ({ partnerId }) => partner({ id: partnerId })),
    citizenToken: createHandler(
      byCitizenToken(service, identities),
      ({ uniqidHmacs: [mac] }) => `citizen ${mac}`,
    ),
    operatorToken: createHandler(byOperatorToken(identities), ({ subject }) => `operator ${subject}`),
  }

  const authenticateBody = createHandler(byBody(service), partner)
  const authenticateByBody: RequestHandler = async (req, _res, next) => {
    const policy = partnerPolicyOf(req.openapi?.schema.operationId)
    if (policy?.authentication === 'secret_in_body') await authenticateBody(req, [])
    next()
  }

  return { securityHandlers, authenticateByBody }
}

const byHeaders = (service: Service) => async (req: Request, _scopes: string[], freshness: Freshness) => {
  const code = req.get('x-secret-code')
  const token = req.get('x-secret-token')
  if (!code || !token) throw new Failure('credentials_missing')
  refuseBrowsers(req, service.config.environment)
  // A repeated authentication needs only the caller.
  const isPreloading = !freshness.isFresh && hasSecretForm(service.config, 'secret_token', token)
  const preload = isPreloading ? partnerPolicyOf(req.openapi?.schema.operationId)?.preload : undefined
  const [caller, loaded] = await Promise.all([
    authenticatePartner(service, { kind: 'secret_token', code, secret: token }, freshness),
    preload?.(service, code, req.query),
  ])
  requireAllowedAddress(caller, req)
  return { caller, loaded }
}

const byBody = (service: Service) => async (req: Request, _scopes: string[], freshness: Freshness) => {
  const { partner_code, partner_secret } = req.body as Body<'generateToken'>
  refuseBrowsers(req, service.config.environment)
  const secret: PartnerSecret = { kind: 'partner_secret', code: partner_code, secret: partner_secret }
  const caller = await authenticatePartner(service, secret, freshness)
  requireAllowedAddress(caller, req)
  return { caller }
}

const byAccessToken = (service: Service) => async (req: Request) => {
  const bearer = readBearer(req.get('authorization'))
  const token = req.accessToken ?? decryptAccessToken(service.keys, bearer)
  if (!token) throw new Failure('token_invalid')
  // Set before the token is checked, because the diagnosis of a refusal belongs to this partner.
  req.caller = token
  const authenticated = await authenticateAccessToken(service, token)
  requireAllowedAddress(authenticated.caller, req)
  return authenticated
}

const byCitizenToken =
  ({ keys }: Service, { verifyCitizen }: Identities) =>
  async (req: Request) => {
    const { sub, exp } = await verifyCitizen(req.get('authorization'))
    return { caller: { uniqidHmacs: keys.hmacs('uniqid', sub!), tokenExpiresAtMs: exp! * 1000 } }
  }

const byOperatorToken =
  ({ verifyOperator }: Identities) =>
  async (req: Request, scopes: string[]) => {
    const { sub, scope } = await verifyOperator(req.get('authorization'))
    const missing = scopes.find((needed) => !String(scope).split(' ').includes(needed))
    if (missing) throw new Failure('scope_not_granted', { message: `The token lacks the scope ${missing}` })
    return { caller: { subject: sub } }
  }

/** A partner's secret in a browser has leaked. Only the sandbox's own pages may send one. */
function refuseBrowsers(req: Request, environment: 'sandbox' | 'live'): void {
  const origin = req.get('origin')
  if (origin === undefined) return
  const isOwnPage = environment === 'sandbox' && URL.parse(origin)?.host === req.get('host')
  // The only response that a page of another origin may read, since it says what to do instead.
  if (!isOwnPage)
    throw new Failure('browser_use_forbidden', { headers: { 'Access-Control-Allow-Origin': '*' } })
}
