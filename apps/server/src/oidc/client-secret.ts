import type { IncomingMessage } from 'node:http'
import type { Request } from 'express'
import { authenticatePartner, findKnownPartner } from '../authentication/authenticate-partner.ts'
import { Failure } from '../failure.ts'
import { wrongCredentials } from '../metrics/registry.ts'
import type { Service } from '../operation.ts'

/** The library passes on the request of Express. */
export const exchangeOf = (req: IncomingMessage) => (req as Request).exchange

const credentialOfRequest = new WeakMap<IncomingMessage, number>()

/** The secret that authenticated the partner of a request. Null: the partner used a key. */
export const authenticatedBy = (req: IncomingMessage): number | null => credentialOfRequest.get(req) ?? null

/** Whether the text is a valid secret of the partner: each of two, as in every other place. */
export async function isPartnerSecret(
  service: Service,
  code: string,
  secret: string,
  req: IncomingMessage,
): Promise<boolean> {
  const presented = { kind: 'partner_secret' as const, code, secret }
  try {
    const known = findKnownPartner(service, presented)
    const partner = known?.isCurrent
      ? known.partner
      : await authenticatePartner(service, presented, (check) => exchangeOf(req).passed.push(check))
    credentialOfRequest.set(req, partner.credential_id)
    return true
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    wrongCredentials.inc({ kind: 'secret_in_body' })
    return false
  }
}
