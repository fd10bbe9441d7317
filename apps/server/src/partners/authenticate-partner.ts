import type { Config } from '../config.ts'
import { Failure } from '../http/failure.ts'
import type { Service } from '../operation.ts'
import { isSecret } from '../secrets/artefact.ts'
import { matchingMac } from '../secrets/key-ring.ts'
import { noteUse } from './credentials/note-use.ts'
import { secretPrefix } from './credentials/secrets.ts'
import { type CredentialKind, replaceMac } from './credentials/store.ts'
import { findPartnerAtTheDoor } from './door/store.ts'
import type { PartnerRow, ProvenPartner } from './store.ts'

const REFUSAL = { secret_token: 'credentials_invalid', partner_secret: 'partner_invalid' } as const

/** Who proves themselves with this code and secret. A wrong code and a wrong secret are one answer, at the same cost. */
export async function authenticatePartner(service: Service, kind: CredentialKind, code: string, secret: string): Promise<ProvenPartner> {
  const { db, config, keys } = service
  if (!hasSecretForm(config, kind, secret)) throw new Failure(REFUSAL[kind])
  const found = await findPartnerAtTheDoor[kind](db, { code, timeZone: config.timeZone })
  const presented = keys.macs(kind, secret)
  const valid = found?.secrets ?? []
  const matched = matchingMac(
    presented,
    valid.map(({ mac }) => mac),
  )
  if (!found || !matched) throw new Failure(REFUSAL[kind])
  const { place: _place, today, secrets: _secrets, usage, ...partner } = found
  if (partner.status !== 'ACTIVE') throw new Failure('partner_suspended')
  // Hashed with an older pepper: from now on with the current one, so that the old one can be retired.
  if (matched !== presented[0]) await replaceMac(db, matched, presented[0]!)
  if (valid.find(({ mac }) => mac === matched)!.last_used_on !== today) noteUse(service, partner.id, presented[0]!, today)
  return { ...partner, today, used_today: usage?.day === today ? usage.used : 0 }
}

/** Junk is refused before the database is asked. */
export const hasSecretForm = ({ environment }: Config, kind: CredentialKind, secret: string): boolean =>
  isSecret(secretPrefix(environment, kind), secret)

export function requireScope(partner: Pick<PartnerRow, 'scopes'>, scope: PartnerRow['scopes'][number]): void {
  if (!partner.scopes.includes(scope))
    throw new Failure('scope_not_granted', { message: `The scope ${scope} is not granted to this partner` })
}
