import { Failure } from '../http/failure.ts'
import type { Service } from '../operation.ts'
import { isSecret } from '../secrets/artefact.ts'
import { matchesMac } from '../secrets/key-ring.ts'
import { secretPrefix } from './credentials.ts'
import { type CredentialKind, findPartnerByPartnerCode, findPartnerBySecretCode, type PartnerRow } from './store.ts'

const FIND = { secret_token: findPartnerBySecretCode, partner_secret: findPartnerByPartnerCode } as const
const REFUSAL = { secret_token: 'credentials_invalid', partner_secret: 'partner_invalid' } as const

/** Who proves themselves with this code and secret. A wrong code and a wrong secret are one answer, at the same cost. */
export async function authenticatePartner(service: Service, kind: CredentialKind, code: string, secret: string): Promise<PartnerRow> {
  if (!isSecret(secretPrefix(service.config.environment, kind), secret)) throw new Failure(REFUSAL[kind])
  const partner = await FIND[kind](service.db, code)
  if (!matchesMac(service.keys.mac(kind, secret), partner?.macs ?? []) || !partner) throw new Failure(REFUSAL[kind])
  if (partner.status !== 'ACTIVE') throw new Failure('partner_suspended')
  return partner
}

export function requireScope(partner: PartnerRow, scope: PartnerRow['scopes'][number]): void {
  if (!partner.scopes.includes(scope))
    throw new Failure('scope_not_granted', { message: `The scope ${scope} is not granted to this partner` })
}
