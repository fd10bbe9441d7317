import type { IncomingMessage } from 'node:http'
import { authenticatePartner, findKnownPartner } from '../authentication/authenticate-partner.ts'
import { Failure } from '../failure.ts'
import type { Service } from '../operation.ts'
import { exchangeOf, findingsOf } from './refusals.ts'

/** Whether the text is a valid secret of the partner: each of two, as in every other place. */
export async function isPartnerSecret(
  service: Service,
  code: string,
  secret: string,
  req: IncomingMessage,
): Promise<boolean> {
  const presented = { kind: 'partner_secret' as const, code, secret }
  const { passed } = exchangeOf(req)
  const found = findingsOf(req)
  found.secret = secret
  try {
    const known = findKnownPartner(service, presented)
    if (known?.isCurrent) passed.push('credentials', 'suspension')
    const partner = known?.isCurrent
      ? known.partner
      : await authenticatePartner(service, presented, (check) => passed.push(check))
    found.credentialId = partner.credential_id
    found.isAuthenticated = true
    return true
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.code === 'partner_suspended') found.cause = { check: 'suspension' }
    return false
  }
}
