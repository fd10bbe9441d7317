import type { Config } from '../config.ts'
import type { Service } from '../operation.ts'
import { secretPrefix } from '../partners/credentials/secrets.ts'
import type { CredentialKind } from '../partners/credentials/store.ts'
import { isQrValue, isSecret } from '../secrets/tokens.ts'
import { EXCHANGE_CODE_PREFIX } from '../sso/issue-exchange-code.ts'
import type { CheckName } from './checks.ts'
import type { Presented, Refusal } from './refusal.ts'
import type { Found } from './store.ts'

export type Kind = keyof Presented

/** What the check failed by: to be looked up under its keyed hashes, or told apart by its form alone. */
export type Evidence = { kind: Kind; hmacs: string[] } | { kind: Kind; malformed: string }

export function evidenceOf({ keys, config }: Service, refusal: Refusal, failed: CheckName): Evidence | undefined {
  const kind = kindOf(refusal, failed)
  if (!kind) return undefined
  const value = refusal.presented[kind]
  const malformed = value ? misformOf(config.environment, kind, value) : 'missing'
  return malformed ? { kind, malformed } : { kind, hmacs: keys.hmacs(kind, value!) }
}

function kindOf({ operation }: Refusal, failed: CheckName): Kind | undefined {
  if (failed === 'credentials') return operation === 'generateToken' ? 'partner_secret' : 'secret_token'
  return failed === 'qr_value' || failed === 'exchange_code' || failed === 'access_token' ? failed : undefined
}

/** What is wrong with the form; `undefined`: nothing. */
function misformOf(environment: Config['environment'], kind: Kind, value: string): string | undefined {
  if (kind === 'access_token') return undefined
  const space = whiteSpaceIn(value)
  if (space) return `contains white space ${space}`
  if (kind === 'qr_value') return isQrValue(value) ? undefined : 'not of the form TWQ1 and 32 characters'
  if (kind === 'exchange_code') return misspelt(EXCHANGE_CODE_PREFIX, value)
  const other = kind === 'secret_token' ? 'partner_secret' : 'secret_token'
  const elsewhere = environment === 'live' ? 'sandbox' : 'live'
  const startsAs = (where: Config['environment'], what: CredentialKind) => value.startsWith(secretPrefix(where, what))
  if (startsAs(environment, other)) return `${NAME[other]} was sent in its place`
  if (startsAs(elsewhere, kind)) return `it is of the ${elsewhere} environment`
  return misspelt(secretPrefix(environment, kind), value)
}

/** Where a value has white space, such as the newline of the file that it was read from. */
function whiteSpaceIn(value: string): string | undefined {
  if (/\s$/.test(value)) return 'at its end'
  if (/^\s/.test(value)) return 'at its beginning'
  return /\s/.test(value) ? 'inside' : undefined
}

function misspelt(prefix: string, value: string): string | undefined {
  if (!value.startsWith(prefix)) return `not of the form ${prefix}...`
  return isSecret(prefix, value) ? undefined : 'mistyped or cut off: its checksum is wrong'
}

const NAME = { secret_token: 'X-Secret-Token', partner_secret: 'partner_secret' } as const

/** One text for a value that does not exist and for one that its citizen forbids, so that a diagnosis does not tell them apart. */
const NOT_USABLE = 'unknown, or not usable'

/** The words for what was found. `lookUp` finds nothing where the citizen forbids it. */
export function describe(refusal: Refusal, evidence: Evidence, found: Found): string {
  const { kind } = evidence
  const why = 'malformed' in evidence ? evidence.malformed : (OF[kind](found, refusal) ?? agoOf(found) ?? NOT_USABLE)
  return kind === 'secret_token' || kind === 'partner_secret' ? `${NAME[kind]}: ${why}` : why
}

const agoOf = ({ used_ago, expired_ago }: Found) => ago('used', used_ago) ?? ago('expired', expired_ago)

const ago = (what: string, seconds: number | null): string | undefined =>
  seconds !== null && seconds >= 0 ? `${what} ${Math.floor(seconds)} s ago` : undefined

const WRONG_PURPOSE = 'made for inquire; profile by QR needs a value made for share'

const unknown = ({ is_known }: Found) => (is_known ? undefined : 'unknown')
const OF: Record<Kind, (found: Found, refusal: Refusal) => string | undefined> = {
  secret_token: (found) => unknown(found) ?? ago('revoked', found.revoked_ago),
  partner_secret: (found) => unknown(found) ?? ago('revoked', found.revoked_ago),
  qr_value: (found, { operation }) => {
    if (!found.is_known) return NOT_USABLE
    if ((found.used_ago ?? -1) >= 0 && !found.is_own) return 'used by another partner'
    if (found.used_ago === null && found.purpose === 'inquire' && operation === 'profileByQr') return WRONG_PURPOSE
    return undefined
  },
  exchange_code: ({ is_known, is_own }) => (is_known && !is_own ? 'issued to another partner' : undefined),
  access_token: ({ revoked_ago, secret_ended_ago }) => {
    if (revoked_ago !== null) return 'revoked, since its exchange code was sent again'
    return ago('the partner_secret that obtained it ended', secret_ended_ago)
  },
}
