import type { Config } from '../config.ts'
import { Failure } from '../http/failure.ts'
import type { Service } from '../operation.ts'
import { isSecret } from '../secrets/artefact.ts'
import { matchingMac } from '../secrets/key-ring.ts'
import { noteUse } from './credentials/note-use.ts'
import { secretPrefix } from './credentials/secrets.ts'
import { type CredentialKind, replaceMac } from './credentials/store.ts'
import { recall, remember } from './door/remembered.ts'
import { findPartnerAtTheDoor } from './door/store.ts'
import type { PartnerRow, ProvenPartner } from './store.ts'

const REFUSAL = { secret_token: 'credentials_invalid', partner_secret: 'partner_invalid' } as const

/** Who proves themselves with this code and secret. A wrong code and a wrong secret are one answer, at the same cost. */
export async function authenticatePartner(service: Service, kind: CredentialKind, code: string, secret: string): Promise<ProvenPartner> {
  const { db, config, keys } = service
  if (!hasSecretForm(config, kind, secret)) throw new Failure(REFUSAL[kind])
  const presented = keys.macs(kind, secret)
  const known = recall(db, kind, code)
  // Whom it does not let in, the database is asked about: a secret may have been issued since.
  if (matchingMac(presented, known?.macs ?? [])) return known!.partner
  const askedAtMs = performance.now()
  const found = await findPartnerAtTheDoor[kind](db, { code, timeZone: config.timeZone })
  const macs = (found?.secrets ?? []).map(({ mac }) => mac)
  const matched = matchingMac(presented, macs)
  if (!found || !matched) throw new Failure(REFUSAL[kind])
  const { place: _place, today, secrets, usage, ...row } = found
  if (row.status !== 'ACTIVE') throw new Failure('partner_suspended')
  const partner = { ...row, today, used_today: usage?.day === today ? usage.used : 0 }
  const isCurrent = matched === presented[0]
  const isNoted = secrets!.find(({ mac }) => mac === matched)!.last_used_on === today
  // Hashed with an older pepper: from now on with the current one, so that the old one can be retired.
  if (!isCurrent) await replaceMac(db, matched, presented[0]!)
  if (!isNoted) noteUse(service, partner.id, presented[0]!, today)
  if (isCurrent && isNoted) remember(db, kind, code, { partner, macs, askedAtMs })
  return partner
}

/** Junk is refused before the database is asked. */
export const hasSecretForm = ({ environment }: Config, kind: CredentialKind, secret: string): boolean =>
  isSecret(secretPrefix(environment, kind), secret)

export function requireScope(partner: Pick<PartnerRow, 'scopes'>, scope: PartnerRow['scopes'][number]): void {
  if (!partner.scopes.includes(scope))
    throw new Failure('scope_not_granted', { message: `The scope ${scope} is not granted to this partner` })
}
