import type { Schemas } from '@tiwala/contract'
import type { Config } from '../config.ts'
import { Failure } from '../failure.ts'
import type { Service } from '../operation.ts'
import { replaceHmac } from '../partners/credentials/credential.sql.ts'
import { secretPrefix, type CredentialKind } from '../partners/credentials/credential.ts'
import { storeLastUse } from '../partners/credentials/last-use.ts'
import type { AuthenticatedPartner, Secret } from '../partners/partner.ts'
import { findMatchingHmac } from '../secrets/key-ring.ts'
import { isSecret } from '../secrets/tokens.ts'
import { findPartnerWithSecrets } from './partner-with-secrets.sql.ts'

const REFUSAL = { secret_token: 'credentials_invalid', partner_secret: 'partner_invalid' } as const

export type PartnerSecret = { kind: CredentialKind; code: string; secret: string }

/** `isCurrent`: the entry is valid now. Otherwise the secret was valid when the partner was last read. */
export type KnownPartner = { partner: AuthenticatedPartner; isCurrent: boolean }

/**
 * The partner with this code and secret, if it is in the cache. `undefined`: only the database can tell. It
 * also decides about a secret that is not in the cache, since it may be newer.
 */
export function findKnownPartner(
  { config, keys, partnerCache }: Service,
  { kind, code, secret }: PartnerSecret,
): KnownPartner | undefined {
  if (!hasSecretForm(config, kind, secret)) throw new Failure(REFUSAL[kind])
  const cached = partnerCache.get(code)
  // The HMACs of the two kinds of secrets differ, so an entry of the other kind never matches.
  const cachedSecret = cached && findSecret(keys.hmacs(kind, secret), cached.entry.secrets)
  return (
    cachedSecret && {
      partner: { ...cached.entry.partner, credential_id: cachedSecret.id },
      isCurrent: cached.isCurrent,
    }
  )
}

/**
 * Authenticates the partner with this code and secret by the database. A wrong code and a wrong secret get
 * the same error. An unknown code gets it a tenth of a millisecond sooner, since no secrets are read; codes
 * are not secret. `found`: the code of an existing partner, also if the secret is wrong.
 */
export async function authenticatePartner(
  service: Service,
  { kind, code, secret }: PartnerSecret,
  passed: (check: Schemas['CheckName']) => void,
  found: (partnerCode: string) => void = () => {},
): Promise<AuthenticatedPartner> {
  const { db, config, keys, partnerCache } = service
  const presented = keys.hmacs(kind, secret)
  const queriedAtMs = performance.now()
  const partnerRow = await findPartnerWithSecrets[kind](db, { code, timeZone: config.timeZone })
  if (partnerRow) found(partnerRow.partner_code)
  const secretRow = findSecret(presented, partnerRow?.secrets ?? [])
  if (!partnerRow || !secretRow) throw new Failure(REFUSAL[kind])
  passed('credentials')
  const { input_no: _inputNo, today, secrets, usage, ...row } = partnerRow
  if (row.status !== 'ACTIVE') throw new Failure('partner_suspended')
  passed('suspension')
  const partner = { ...row, today, used_today: usage?.day === today ? usage.used : 0 }
  const isUseRecorded = secretRow.last_used_on === today
  // The stored hash uses an older pepper. Replace it by one with the current pepper, so that the old one can
  // be retired.
  if (!secretRow.isCurrent) await replaceHmac(db, secretRow.hmac, presented[0]!)
  if (!isUseRecorded) storeLastUse(service, partner.id, presented[0]!, today)
  // Until the use is recorded and the hash is current, each request must read the database. The entry then
  // shows only that the secret was valid (`KnownPartner`).
  const isComplete = secretRow.isCurrent && isUseRecorded
  partnerCache.set(code, { partner, secrets: secrets! }, isComplete ? queriedAtMs : -Infinity)
  return { ...partner, credential_id: secretRow.id }
}

/** `isCurrent`: the stored hash uses the current pepper. */
function findSecret(
  presented: readonly string[],
  secrets: readonly Secret[],
): (Secret & { isCurrent: boolean }) | undefined {
  const match = findMatchingHmac(
    presented,
    secrets.map(({ hmac }) => hmac),
  )
  return match && { ...secrets[match.stored]!, isCurrent: match.presented === 0 }
}

/** Used to refuse a text that cannot be a secret without a query of the database. */
const hasSecretForm = ({ environment }: Config, kind: CredentialKind, secret: string): boolean =>
  isSecret(secretPrefix(environment, kind), secret)
