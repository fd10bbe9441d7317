// Before a request is authenticated, it only claims to come from a caller. This file reads the claim, and remembers the credentials that
// were authenticated a short while ago, so that an attacker cannot take the share of a caller whose code it knows.
import { hash } from 'node:crypto'
import { routes } from '@tiwala/contract'
import type { Request } from 'express'
import { ipKeyGenerator } from 'express-rate-limit'
import { basePathOf } from '../contract/documents.ts'
import type { KeyRing } from '../secrets/key-ring.ts'
import { decryptAccessToken } from '../sso/access-token.ts'

/** `caller`: the authenticated caller if this credential was authenticated from this address before; else the address. */
export type Claim = { caller: string; isKnown: boolean; fingerprint: string }

type Credential = { code: string; secret: string }

const IPV6_PREFIX_BITS = 64
const MAX_ADDRESSES = 1_000
/** Of each of two generations. */
const MAX_KNOWN = 10_000

const [AUTHENTICATE, GENERATE_TOKEN] = [routes.partner.authenticate.path, routes.partner.generateToken.path]
const WITH_BEARER_TOKEN = [basePathOf('citizen-app'), basePathOf('operator')]

const addresses = new Map<string, string>()

/** The address that a request is counted by: for IPv6 the network of 64 bits, since a customer gets a whole one. */
export function addressOf({ ip = '' }: Pick<Request, 'ip'>): string {
  if (!ip.includes(':')) return ip
  const known = addresses.get(ip) ?? ipKeyGenerator(ip, IPV6_PREFIX_BITS)
  if (addresses.size >= MAX_ADDRESSES) addresses.clear()
  addresses.set(ip, known)
  return known
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
  const isBearer = req.path === AUTHENTICATE || WITH_BEARER_TOKEN.some((base) => req.path.startsWith(`${base}/`))
  return isBearer ? { code: authorization, secret: '' } : { code: text(code), secret: text(token) }
}

const text = (value: unknown) => (typeof value === 'string' ? value : '')

/** The parts cannot contain the separator: Node refuses it in headers, and a body with it matches no credential. */
const digest = (...parts: string[]) => hash('sha256', parts.join('\n'), 'base64')

/** The address and the code that a request claims, in bounded length. */
export const claimedCodeOf = (req: Request): string => digest(addressOf(req), credentialOf(req).code)

export class Claims {
  readonly #keys: KeyRing
  #known = new Map<string, string>()
  #knownBefore = new Map<string, string>()

  constructor(keys: KeyRing) {
    this.#keys = keys
  }

  of(req: Request): Claim {
    return (req.claim ??= this.#read(req))
  }

  #read(req: Request): Claim {
    const address = addressOf(req)
    const { code, secret } = credentialOf(req)
    if (req.path === AUTHENTICATE) req.accessToken = decryptAccessToken(this.#keys, code.replace(/^Bearer +/i, ''))
    // Each access token is presented once. It is known if a token of the same partner was authenticated from the same address.
    const fingerprint = req.accessToken ? `${address} ${req.accessToken.partnerId}` : digest(address, code, secret)
    const known = this.#known.get(fingerprint) ?? this.#knownBefore.get(fingerprint)
    return { caller: known ?? `address ${address}`, isKnown: known !== undefined, fingerprint }
  }

  /** The whole credential of the request is valid, and `caller` is authenticated by it. */
  confirm(req: Request, caller: string): Claim {
    const { fingerprint } = this.of(req)
    if (this.#known.get(fingerprint) !== caller) {
      if (this.#known.size >= MAX_KNOWN) [this.#knownBefore, this.#known] = [this.#known, new Map<string, string>()]
      this.#known.set(fingerprint, caller)
    }
    return (req.claim = { caller, isKnown: true, fingerprint })
  }

  /** The credential was refused. A used access token says nothing about the next one. */
  withdraw(req: Request): void {
    if (req.accessToken) return
    const { fingerprint } = this.of(req)
    for (const generation of [this.#known, this.#knownBefore]) generation.delete(fingerprint)
  }
}
