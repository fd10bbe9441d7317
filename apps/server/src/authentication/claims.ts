// Claims: which caller a request claims to come from, before it is authenticated. The admission control uses
// the claim to share slots fairly before any work is done for the request.
//
// A request names a code (of a partner, or a bearer token) and presents a secret. A code alone proves
// nothing: an attacker who knows a partner's code could send many requests with it and take the partner's
// share. So a request counts as a caller's only if the same credential was authenticated from the same
// address a short while ago. Otherwise it counts as its address.
//
// States of a credential:
// - unknown: never authenticated from this address, or forgotten. Its requests count as the address.
// - known (`confirm`): authenticated. Its requests count as the caller from then on.
// - withdrawn (`withdraw`): refused after it was known, for example revoked. Unknown again.
//
// Known credentials are kept as hashes in two generations of 10,000. When the new one is full, it becomes the
// old one, and the old one is dropped.
//
// Example: partner 7 sends its first request: caller `address 192.0.2.1`. The secret is valid. Its second
// request from this address has caller `partner 7`. An attacker sends partner 7's code with a wrong secret:
// caller `address 203.0.113.9`.
//
// Guarantee: a claim never authenticates a request. A wrong one changes only whose share of the slots the
// request uses.
import { hash } from 'node:crypto'
import { routes } from '@tiwala/contract'
import type { Request } from 'express'
import { ipKeyGenerator } from 'express-rate-limit'
import { basePathOf } from '../contract/documents.ts'
import type { KeyRing } from '../secrets/key-ring.ts'
import { decryptAccessToken } from '../sso/access-token.ts'

/** `caller`: the caller if this credential was authenticated from this address before; else the address. */
export type Claim = { caller: string; isKnown: boolean; fingerprint: string }

type Credential = { code: string; secret: string }

const IPV6_PREFIX_BITS = 64
const MAX_ADDRESSES = 1_000
/** For each of the two generations. */
const MAX_KNOWN = 10_000

const [AUTHENTICATE, GENERATE_TOKEN] = [routes.partner.authenticate.path, routes.partner.generateToken.path]
const WITH_BEARER_TOKEN = [basePathOf('citizen-app'), basePathOf('operator')]

const addresses = new Map<string, string>()

/**
 * The address by which a request is counted. For IPv6 it is the network of 64 bits, since one customer
 * usually has all of it.
 */
export function addressOf({ ip = '' }: Pick<Request, 'ip'>): string {
  if (!ip.includes(':')) return ip
  const address = addresses.get(ip) ?? ipKeyGenerator(ip, IPV6_PREFIX_BITS)
  if (addresses.size >= MAX_ADDRESSES) addresses.clear()
  addresses.set(ip, address)
  return address
}

/** The only operation whose credential is in the body. */
export const isClaimInBody = (req: Request) => req.path === GENERATE_TOKEN

/** The code that the request names and the secret that it presents. A bearer token is both. */
function credentialOf(req: Request): Credential {
  if (isClaimInBody(req)) {
    const { partner_code, partner_secret } = (req.body ?? {}) as Record<string, unknown>
    return { code: text(partner_code), secret: text(partner_secret) }
  }
  const { authorization = '', 'x-secret-code': code, 'x-secret-token': token } = req.headers
  const isBearer =
    req.path === AUTHENTICATE || WITH_BEARER_TOKEN.some((base) => req.path.startsWith(`${base}/`))
  return isBearer ? { code: authorization, secret: '' } : { code: text(code), secret: text(token) }
}

const text = (value: unknown) => (typeof value === 'string' ? value : '')

/** Node refuses the separator in headers. A body may contain it, but then it matches no credential. */
const digest = (...parts: string[]) => hash('sha256', parts.join('\n'), 'base64')

/** A hash of the address and of the code that a request claims. */
export const claimedCodeOf = (req: Request): string => digest(addressOf(req), credentialOf(req).code)

export class Claims {
  readonly #keys: KeyRing
  #known = new Map<string, string>()
  #oldKnown = new Map<string, string>()

  constructor(keys: KeyRing) {
    this.#keys = keys
  }

  of(req: Request): Claim {
    return (req.claim ??= this.#read(req))
  }

  #read(req: Request): Claim {
    const address = addressOf(req)
    const { code, secret } = credentialOf(req)
    if (req.path === AUTHENTICATE)
      req.accessToken = decryptAccessToken(this.#keys, code.replace(/^Bearer +/i, ''))
    // An access token is used once, so it is known if a token of the same partner was authenticated from the
    // same address.
    const fingerprint = req.accessToken
      ? `${address} ${req.accessToken.partnerId}`
      : digest(address, code, secret)
    const caller = this.#known.get(fingerprint) ?? this.#oldKnown.get(fingerprint)
    return { caller: caller ?? `address ${address}`, isKnown: caller !== undefined, fingerprint }
  }

  /** The request is authenticated as `caller`. */
  confirm(req: Request, caller: string): Claim {
    const { fingerprint } = this.of(req)
    if (this.#known.get(fingerprint) !== caller) {
      if (this.#known.size >= MAX_KNOWN)
        [this.#oldKnown, this.#known] = [this.#known, new Map<string, string>()]
      this.#known.set(fingerprint, caller)
    }
    return (req.claim = { caller, isKnown: true, fingerprint })
  }

  /**
   * The credential was refused. A refused access token says nothing about the partner's next one, so it
   * changes nothing.
   */
  withdraw(req: Request): void {
    if (req.accessToken) return
    const { fingerprint } = this.of(req)
    for (const generation of [this.#known, this.#oldKnown]) generation.delete(fingerprint)
  }
}
