import type { Body } from '@tiwala/contract'
import type { Request, RequestHandler } from 'express'
import { readShared } from '../authorizations/opening/read-shared.ts'
import type { Service } from '../operation.ts'
import { requireAllowedAddress } from '../partners/allow-list.ts'
import { authenticatePartner, hasSecretForm, type PartnerSecret } from '../partners/authenticate-partner.ts'
import { openAccessToken } from '../sso/access-token.ts'
import { proveToken } from '../sso/prove-token.ts'
import type { Claims } from './claims.ts'
import { Failure } from './failure.ts'
import { type Identities, readBearer } from './identity.ts'

export type SecurityHandler = (req: Request, scopes: string[]) => Promise<boolean>
/** `isFresh`: what was read of the caller before does not count. */
type Identify<Caller> = (req: Request, scopes: string[], freshness: { isFresh: boolean }) => Promise<Caller>

/**
 * Who calls: one handler for each security scheme of the documents, and one for the operation that carries its secret in the body.
 * They run before the request is validated and must consume nothing.
 */
export function createCallers(service: Service, { verifyCitizen, verifyOperator }: Identities, claims: Claims) {
  const { config, keys } = service

  /** `nameOf`: the authenticated caller, as the admission counts its requests. */
  const prove =
    <Caller>(identify: Identify<Caller>, nameOf: (caller: Caller) => string) =>
    async (req: Request, scopes: string[]) => {
      try {
        const work = () => identify(req, scopes, { isFresh: false })
        const caller = await (req.slot ? req.slot.keepDuring(work) : work())
        req.caller = caller
        req.reauthenticate = () => identify(req, scopes, { isFresh: true })
        req.slot?.assign(claims.confirm(req, nameOf(caller)))
        return true
      } catch (refusal) {
        req.refusal = refusal
        if (refusal instanceof Failure && refusal.status < 500) claims.withdraw(req)
        throw refusal
      }
    }

  const partnerByHeaders = prove(async (req, _scopes, freshness) => {
    const code = req.get('x-secret-code')
    const token = req.get('x-secret-token')
    if (!code || !token) throw new Failure('credentials_missing')
    refuseBrowsers(req, config.environment)
    const isSharing = req.openapi?.schema.operationId === 'profileByQr' && hasSecretForm(config, 'secret_token', token)
    const [partner, shareable] = await Promise.all([
      authenticatePartner(service, { kind: 'secret_token', code, secret: token }, freshness),
      isSharing ? readShared(service, code, req.query['qr_value']) : undefined,
    ])
    const caller = fromAllowedAddress(req, partner)
    return isSharing ? { ...caller, shareable } : caller
  }, partnerName)

  const partnerByBody = prove(async (req, _scopes, freshness) => {
    const { partner_code, partner_secret } = req.body as Body<'generateToken'>
    refuseBrowsers(req, config.environment)
    const secret: PartnerSecret = { kind: 'partner_secret', code: partner_code, secret: partner_secret }
    return fromAllowedAddress(req, await authenticatePartner(service, secret, freshness))
  }, partnerName)

  const securityHandlers: Record<string, SecurityHandler> = {
    // The two headers are one credential; it is judged once, by the second.
    secretCode: async (req) => Boolean(req.get('x-secret-code')),
    secretToken: partnerByHeaders,
    accessToken: prove(
      async (req) => {
        const bearer = readBearer(req.get('authorization'))
        const token = req.accessToken ?? openAccessToken(keys, bearer)
        if (!token) throw new Failure('token_invalid')
        // Also if the token is refused below: the diagnosis of the refusal belongs to this partner.
        req.caller = token
        return fromAllowedAddress(req, await proveToken(service, token))
      },
      ({ partnerId }) => partnerName({ id: partnerId }),
    ),
    citizenToken: prove(
      async (req) => {
        const { sub, exp } = await verifyCitizen(req.get('authorization'))
        return { uniqidMacs: keys.macs('uniqid', sub!), tokenExpiresAtMs: exp! * 1000 }
      },
      ({ uniqidMacs: [mac] }) => `citizen ${mac}`,
    ),
    operatorToken: prove(async (req, scopes) => {
      const { sub, scope } = await verifyOperator(req.get('authorization'))
      const missing = scopes.find((needed) => !String(scope).split(' ').includes(needed))
      if (missing) throw new Failure('scope_not_granted', { message: `The token lacks the scope ${missing}` })
      return { subject: sub }
    }, operatorName),
  }

  const identifyByBody: RequestHandler = async (req, _res, next) => {
    if (req.openapi?.schema.operationId === 'generateToken') await partnerByBody(req, [])
    next()
  }

  return { securityHandlers, identifyByBody }
}

const partnerName = ({ id }: { id: number }) => `partner ${id}`
const operatorName = ({ subject }: { subject: string | undefined }) => `operator ${subject}`

function fromAllowedAddress<Caller extends { ip_allow_list: string[] }>(req: Request, caller: Caller): Caller {
  requireAllowedAddress(caller, req)
  return caller
}

/** A partner's secret in a browser has leaked already. The sandbox's own pages may try things out. */
function refuseBrowsers(req: Request, environment: 'sandbox' | 'live'): void {
  const origin = req.get('origin')
  if (origin === undefined) return
  const isOwnPage = environment === 'sandbox' && URL.parse(origin)?.host === req.get('host')
  // The one answer that a page of another origin may read: it says what to do instead.
  if (!isOwnPage) throw new Failure('browser_use_forbidden', { headers: { 'Access-Control-Allow-Origin': '*' } })
}
