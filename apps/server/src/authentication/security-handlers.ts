// Authentication: establishes the caller of a request before the validator looks at its parameters and body.
// If the secret is in the body (`generateToken`), the validation of the body comes first.
//
// The first check that fails decides the refusal, and the later ones do not run. A wrong code and a wrong
// secret cannot be told apart. The scope of an operator's token is checked here; that of a partner in
// `dispatch.ts`, after its limits.
//
// Guarantees: a handler reads, and uses nothing up. Only the statement of the operation does that. What a
// handler reads from the database, it reads with a slot for authentication (`http/load/admission.ts`). These
// slots are shared by address. A partner whose secret was valid a moment ago, and an access token, count as
// this partner at its address, so a flood of wrong credentials, or of a leaked token, takes nothing from the
// partner. Both have one name: the two requests of a sign-in would otherwise compete.
import type { Body, Schemas } from '@tiwala/contract'
import type { Request, RequestHandler } from 'express'
import type { JWTPayload } from 'jose'
import { isUniqid } from '../citizens/uniqid.ts'
import { Failure } from '../failure.ts'
import { memberOfToken } from '../members/member-of-token.ts'
import { isAtLeast, type MemberRole } from '../members/member.ts'
import { findSession } from '../members/session.sql.ts'
import { runIn } from '../metrics/tracing.ts'
import { addressOf, isHostOf } from '../network/addresses.ts'
import { readSessionId } from '../network/cookies.ts'
import type { Assurance, AuthenticatedMember, AuthenticatedOperator, Service } from '../operation.ts'
import { partnerPolicyOf } from '../operations.ts'
import { findOperatorSession } from '../operators/session.sql.ts'
import type { Sightings } from '../operators/sightings.ts'
import { requireAllowedAddress } from '../partners/allow-list.ts'
import type { AuthenticatedPartner } from '../partners/partner.ts'
import { isCsrfToken } from '../secrets/csrf.ts'
import type { KeyRing } from '../secrets/key-ring.ts'
import { decryptAccessToken } from '../sso/access-token.ts'
import { authenticateAccessToken } from './authenticate-access-token.ts'
import { authenticatePartner, findKnownPartner, type PartnerSecret } from './authenticate-partner.ts'
import { type Identities, isPastTime, ONLY_PARTNER, readBearer, scopesOf } from './identity-tokens.ts'

type CheckName = Schemas['CheckName']
/** The reason of `session_required` for a browser that presents a session. */
export const UNKNOWN_SESSION = 'unknown session'
export type SecurityHandler = (req: Request, scopes: string[]) => Promise<boolean>
/** Whether the partner has a sandbox that has not ended. */
type HasSandbox = (partnerCode: string) => Promise<boolean>
type Authenticated<Caller> = { caller: Caller; loaded?: unknown }
/** `isRepeated`: the request is authenticated again, past every cache, with the slot of its operation. */
type Authenticate<Caller> = (
  req: Request,
  scopes: string[],
  isRepeated: boolean,
) => Promise<Authenticated<Caller>>

/** Runs the work with a slot for authentication, counted by this name, if the request has no slot yet. */
const withSlot = <Result>(req: Request, isRepeated: boolean, name: string, work: () => Promise<Result>) =>
  isRepeated ? work() : req.exchange.slot!.authenticateAs(name, work)

const passed = (req: Request, ...checks: CheckName[]) => void req.exchange.passed.push(...checks)

const isOf = (req: Request) => (partnerCode: string) => void (req.exchange.partnerCode = partnerCode)

const nameOfPartner = (id: number) => `partner ${id}`
const nameAtAddress = (partnerId: number, req: Request) => `${nameOfPartner(partnerId)} ${addressOf(req)}`

/**
 * One handler for each security scheme of the documents, and one for the operation whose secret is in the
 * body. The validator calls the handlers before it validates the request, so they must not use anything up.
 * Each sets caller, name, loaded rows and `reauthenticate` of the exchange, or throws the refusal. `see` gets each
 * administrator who was authenticated.
 */
export function createSecurityHandlers(
  service: Service,
  identities: Identities,
  see: Sightings,
  hasSandbox: HasSandbox = async () => false,
) {
  /** `nameOf`: the name by which the admission control counts the requests of a caller. */
  const createHandler =
    <Caller>(authenticate: Authenticate<Caller>, nameOf: (caller: Caller) => string) =>
    async (req: Request, scopes: string[]) => {
      try {
        const { caller, loaded } = await runIn(req.exchange.span, () => authenticate(req, scopes, false))
        const reauthenticate = async () => (await authenticate(req, scopes, true)).caller
        Object.assign(req.exchange, { caller, callerName: nameOf(caller), loaded, reauthenticate })
        return true
      } catch (refusal) {
        req.exchange.refusal = refusal
        throw refusal
      }
    }

  const nameOf = ({ id }: AuthenticatedPartner) => nameOfPartner(id)
  const nameOfMember = ({ memberId }: AuthenticatedMember) => `member ${memberId}`
  const authenticateSession = createHandler(byMemberSession(service), nameOfMember)
  const authenticateToken = createHandler(byMemberToken(service, identities), nameOfMember)
  const securityHandlers: Record<string, SecurityHandler> = {
    // The two headers are one credential; the handler of the second header checks both.
    secretCode: async (req) => Boolean(req.get('x-secret-code')),
    secretToken: createHandler(byHeaders(service), nameOf),
    accessToken: createHandler(byAccessToken(service), ({ partnerId }) => nameOfPartner(partnerId)),
    citizenToken: createHandler(
      byCitizenToken(service, identities),
      ({ uniqidHmacs: [hmac] }) => `citizen ${hmac}`,
    ),
    operatorToken: createHandler(
      byOperatorToken(service, identities, see, hasSandbox),
      ({ subject }) => `operator ${subject}`,
    ),
    // The validator runs both. With a token, a cookie has no effect.
    memberSession: async (req, roles) => !req.get('authorization') && authenticateSession(req, roles),
    memberToken: async (req, roles) => Boolean(req.get('authorization')) && authenticateToken(req, roles),
  }

  const authenticateBody = createHandler(byBody(service), nameOf)
  const authenticateByBody: RequestHandler = async (req, _res, next) => {
    const policy = partnerPolicyOf(req.openapi?.schema.operationId)
    if (policy?.authentication === 'secret_in_body') await authenticateBody(req, [])
    next()
  }

  return { securityHandlers, authenticateByBody }
}

const byHeaders = (service: Service) => async (req: Request, _scopes: string[], isRepeated: boolean) => {
  const code = req.get('x-secret-code')
  const secret = req.get('x-secret-token')
  if (!code || !secret) throw new Failure('credentials_missing')
  return bySecret(service, req, { kind: 'secret_token', code, secret }, isRepeated)
}

const byBody = (service: Service) => (req: Request, _scopes: string[], isRepeated: boolean) => {
  const { partner_code: code, partner_secret: secret } = req.body as Body<'generateToken'>
  return bySecret(service, req, { kind: 'partner_secret', code, secret }, isRepeated)
}

async function bySecret(service: Service, req: Request, secret: PartnerSecret, isRepeated: boolean) {
  refuseBrowsers(req, service.config.environment)
  passed(req, 'browser')
  const known = isRepeated ? undefined : findKnownPartner(service, secret)
  const preload = isRepeated ? undefined : partnerPolicyOf(req.openapi?.schema.operationId)?.preload
  if (known) isOf(req)(known.partner.partner_code)
  if (known?.isCurrent) passed(req, 'credentials', 'suspension')
  const authenticate = async () => {
    const [caller, loaded] = await Promise.all([
      known?.isCurrent
        ? known.partner
        : authenticatePartner(service, secret, (check) => passed(req, check), isOf(req)),
      preload?.(service, secret.code, req.query),
    ])
    requireAllowedAddress(caller, req)
    passed(req, 'address')
    return { caller, loaded }
  }
  if (known?.isCurrent && !preload) return authenticate()
  const name = known ? nameAtAddress(known.partner.id, req) : addressOf(req)
  return withSlot(req, isRepeated, name, authenticate)
}

const byAccessToken = (service: Service) => async (req: Request, _scopes: string[], isRepeated: boolean) => {
  const token = decryptAccessToken(service.keys, readBearer(req.get('authorization')))
  if (!token) throw new Failure('token_invalid')
  // Set before the token is checked, because the diagnosis of a refusal belongs to this partner.
  req.exchange.caller = token
  const authenticated = await withSlot(req, isRepeated, nameAtAddress(token.partnerId, req), () =>
    authenticateAccessToken(service, token, (check) => passed(req, check), isOf(req)),
  )
  requireAllowedAddress(authenticated.caller, req)
  passed(req, 'address')
  return authenticated
}

const byCitizenToken =
  ({ keys }: Service, { verifyCitizen }: Identities) =>
  async (req: Request, _scopes: string[], isRepeated: boolean) => {
    const token = await withSlot(req, isRepeated, addressOf(req), () =>
      verifyCitizen(req.get('authorization')),
    )
    const { sub, exp } = token
    if (!isUniqid(sub!)) throw new Failure('token_invalid', { reason: 'sub' })
    const caller = {
      uniqidHmacs: keys.hmacs('uniqid', sub!),
      tokenExpiresAtMs: exp! * 1000,
      assurance: assuranceOf(token),
    }
    return { caller }
  }

/**
 * A claim that is not usable counts as absent. Without `auth_time`, the citizen was authenticated when the token was
 * issued, or long before a silent refresh.
 */
const assuranceOf = ({ acr, amr, auth_time, iat }: JWTPayload): Assurance => ({
  acr: isShortText(acr, MAX_ACR_LENGTH) ? acr : null,
  amr: isAmr(amr) ? amr : null,
  authenticatedAt: new Date((isPastTime(auth_time) ? auth_time : iat!) * 1000),
  hasAuthTime: isPastTime(auth_time),
})

const MAX_ACR_LENGTH = 255
const MAX_AMR = 10
const MAX_AMR_LENGTH = 50
const isAmr = (amr: unknown): amr is string[] =>
  Array.isArray(amr) && amr.length <= MAX_AMR && amr.every((method) => isShortText(method, MAX_AMR_LENGTH))

/** The database cannot store a NUL. */
const isShortText = (claim: unknown, maxLength: number): claim is string =>
  typeof claim === 'string' && claim.length <= maxLength && !claim.includes('\0')

/** By the token, or by the session of a browser. The check of the scopes is the same. */
function byOperatorToken(service: Service, identities: Identities, see: Sightings, hasSandbox: HasSandbox) {
  return async (req: Request, scopes: string[], isRepeated: boolean) => {
    const id = readSessionId(req, service.config, 'operator')
    const caller = await withSlot(req, isRepeated, addressOf(req), () =>
      id && req.get('authorization') === undefined
        ? fromOperatorSession(service, req, id)
        : fromOperatorToken(identities, req, hasSandbox),
    )
    see(caller)
    const missing = scopes.find((needed) => !caller.scopes.includes(needed))
    if (missing)
      throw new Failure('scope_not_granted', {
        message: `The ${caller.session ? 'session' : 'token'} lacks the scope ${missing}`,
      })
    return { caller }
  }
}

async function fromOperatorToken(
  { verifyOperator }: Identities,
  req: Request,
  hasSandbox: HasSandbox,
): Promise<AuthenticatedOperator> {
  const token = await verifyOperator(req.get('authorization'))
  const onlyPartner = onlyPartnerOf(token)
  // The token may live longer than the sandbox, whose partner must stay as the end has left it.
  if (onlyPartner !== null && !(await hasSandbox(onlyPartner)))
    throw new Failure('token_invalid', { message: 'The sandbox of this token has ended', reason: 'sandbox' })
  requireOwnPartner(onlyPartner, req)
  const expiresAt = new Date(token.exp! * 1000)
  return { subject: token.sub!, scopes: scopesOf(token), expiresAt, session: null, onlyPartner }
}

async function fromOperatorSession(
  { db, keys, config }: Service,
  req: Request,
  id: string,
): Promise<AuthenticatedOperator> {
  const hmacs = keys.hmacs('operator_session', id)
  const found = await findOperatorSession(db, hmacs, config.sessions.idleMinutes)
  if (!found) throw new Failure('session_required', { reason: UNKNOWN_SESSION })
  const { subject, scopes, hmac, name, expires_at: expiresAt } = found
  requireCsrfToken(keys, req, hmac)
  return { subject, scopes: scopes.split(' '), expiresAt, session: { hmac, name }, onlyPartner: null }
}

const byMemberSession =
  ({ db, keys, config }: Service) =>
  async (req: Request, roles: string[], isRepeated: boolean) => {
    const id = readSessionId(req, config, 'member')
    if (!id) throw new Failure('session_required')
    const caller = await withSlot(req, isRepeated, addressOf(req), () =>
      findSession(db, keys.hmacs('session', id), config.sessions.idleMinutes),
    )
    if (!caller) throw new Failure('session_required', { reason: UNKNOWN_SESSION })
    requireCsrfToken(keys, req, caller.sessionHmac!)
    requireRole(caller, roles)
    return { caller }
  }

const byMemberToken =
  (service: Service, { verifyStaff }: Identities) =>
  async (req: Request, roles: string[], isRepeated: boolean) => {
    if (!verifyStaff)
      throw new Failure('token_invalid', { message: 'This service accepts no tokens of members' })
    const caller = await withSlot(req, isRepeated, addressOf(req), async () =>
      memberOfToken(service, await verifyStaff(req.get('authorization')), {
        partnerCode: req.get('x-partner-code'),
        requestId: req.exchange.requestId,
      }),
    )
    requireRole(caller, roles)
    return { caller }
  }

function requireRole({ role }: AuthenticatedMember, roles: string[]): void {
  if (!roles.every((needed) => isAtLeast(role, needed as MemberRole))) throw new Failure('role_not_granted')
}

/**
 * The browser sends the cookie of a session by itself, also for a page of another origin on the same site. After a sign-in
 * in another tab, it is the cookie of another session, whose data the page must not show under the name of its own.
 */
function requireCsrfToken(keys: KeyRing, req: Request, sessionHmac: string): void {
  const token = req.get('x-csrf-token')
  if (isCsrfToken(keys, sessionHmac, token ?? '')) return
  if (req.method !== 'GET') throw new Failure('csrf_token_invalid')
  if (token !== undefined) throw new Failure('session_required')
}

/** They are about the caller alone. */
const OF_SELF: ReadonlySet<string> = new Set(['readOwnSession', 'endOwnSession', 'withdrawOwnApproval'])

const onlyPartnerOf = ({ [ONLY_PARTNER]: partnerCode }: JWTPayload): string | null =>
  typeof partnerCode === 'string' ? partnerCode : null

/** The token that a visitor of the sandbox has is for the partner of the visitor only. */
function requireOwnPartner(partnerCode: string | null, { openapi }: Request): void {
  if (partnerCode === null || OF_SELF.has(openapi!.schema.operationId)) return
  if (openapi!.pathParams['partner_code'] !== partnerCode)
    throw new Failure('scope_not_granted', { message: `The token is for the partner ${partnerCode} only` })
  if (openapi!.schema.operationId === 'setCallback')
    throw new Failure('scope_not_granted', {
      message: 'In a sandbox, PUT /sandbox/{sandbox_id}/callback sets the callback URL',
    })
}

/** A partner's secret in a browser has leaked. Only the sandbox's own pages may send one. */
function refuseBrowsers(req: Request, environment: 'sandbox' | 'live'): void {
  const origin = req.get('origin')
  if (origin === undefined) return
  const isOwnPage = environment === 'sandbox' && isHostOf(req.get('host'), origin)
  // The only response that a page of another origin may read, since it says what to do instead.
  if (!isOwnPage)
    throw new Failure('browser_use_forbidden', { headers: { 'Access-Control-Allow-Origin': '*' } })
}
