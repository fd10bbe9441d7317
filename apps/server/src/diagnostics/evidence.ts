import type { Config } from '../config.ts'
import type { Service } from '../operation.ts'
import { secretPrefix, type CredentialKind } from '../partners/credentials/credential.ts'
import { timedHmacs } from '../secrets/timed-hmac.ts'
import { EXCHANGE_CODE_PREFIX, isSecret, readQrValue } from '../secrets/tokens.ts'
import type { FoundValue } from './diagnosis.sql.ts'
import type { CheckName, PresentedValues, Refusal } from './refusal.ts'

export type Kind = keyof PresentedValues

/** The value by which the check failed: its HMACs, to look it up, or what is wrong with its form. */
export type Evidence = { kind: Kind; hmacs: string[] } | { kind: Kind; malformed: string }

export function evidenceOf(
  { keys, config }: Service,
  refusal: Refusal,
  failed: CheckName,
): Evidence | undefined {
  const kind = kindOf(refusal, failed)
  if (!kind) return undefined
  const presented = refusal.presented[kind]
  const value = kind === 'qr_value' && presented ? (readQrValue(presented) ?? presented) : presented
  const malformed = value ? formErrorOf(config.environment, kind, value) : 'missing'
  if (malformed) return { kind, malformed }
  const hmacs =
    kind === 'authorization_code'
      ? keys.hmacs('oidc_state', `AuthorizationCode ${value}`)
      : kind === 'secret_token' || kind === 'partner_secret'
        ? keys.hmacs(kind, value!)
        : timedHmacs(keys, kind, value!)
  return { kind, hmacs }
}

function kindOf({ operation }: Refusal, failed: CheckName): Kind | undefined {
  if (failed === 'credentials')
    return operation === 'generateToken' || operation?.startsWith('oidc/') ? 'partner_secret' : 'secret_token'
  return isKind(failed) ? failed : undefined
}

const LOOKED_UP = new Set(['qr_value', 'exchange_code', 'access_token', 'authorization_code'])
const isKind = (failed: CheckName): failed is CheckName & Kind => LOOKED_UP.has(failed)

/** What is wrong with the form of a value. `undefined`: the form is correct. */
function formErrorOf(environment: Config['environment'], kind: Kind, value: string): string | undefined {
  if (kind === 'access_token' || kind === 'authorization_code') return undefined
  const space = whiteSpaceIn(value)
  if (space) return `contains white space ${space}`
  if (kind === 'qr_value') return readQrValue(value) ? undefined : 'not of the form TWQ1 and 32 characters'
  if (kind === 'exchange_code') return secretFormError(EXCHANGE_CODE_PREFIX, value)
  const other = kind === 'secret_token' ? 'partner_secret' : 'secret_token'
  const otherEnvironment = environment === 'live' ? 'sandbox' : 'live'
  const startsAs = (of: Config['environment'], secret: CredentialKind) =>
    value.startsWith(secretPrefix(of, secret))
  if (startsAs(environment, other)) return `${NAME[other]} was sent in its place`
  if (startsAs(otherEnvironment, kind)) return `it is of the ${otherEnvironment} environment`
  return secretFormError(secretPrefix(environment, kind), value)
}

/**
 * Where a value contains white space, for example the newline at the end of the file that it was read from.
 */
function whiteSpaceIn(value: string): string | undefined {
  if (/\s$/.test(value)) return 'at its end'
  if (/^\s/.test(value)) return 'at its beginning'
  return /\s/.test(value) ? 'inside' : undefined
}

function secretFormError(prefix: string, value: string): string | undefined {
  if (!value.startsWith(prefix)) return `not of the form ${prefix}...`
  return isSecret(prefix, value) ? undefined : 'mistyped or cut off: its checksum is wrong'
}

const NAME = { secret_token: 'X-Secret-Token', partner_secret: 'partner_secret' } as const

/**
 * The same text for a value that does not exist and for a value whose citizen forbids the partner: a
 * diagnosis must not reveal which.
 */
const NOT_USABLE = 'unknown, or not usable'

/** The detail of a failed check. `lookUpValues` finds nothing if the citizen forbids the partner. */
export function describe(refusal: Refusal, evidence: Evidence, found: FoundValue): string {
  const { kind } = evidence
  const why =
    'malformed' in evidence
      ? evidence.malformed
      : (EXPLAIN[kind](found, refusal) ?? agoOf(found) ?? NOT_USABLE)
  return kind === 'secret_token' || kind === 'partner_secret' ? `${NAME[kind]}: ${why}` : why
}

const agoOf = ({ used_ago, expired_ago }: FoundValue) => ago('used', used_ago) ?? ago('expired', expired_ago)

const ago = (what: string, seconds: number | null): string | undefined =>
  seconds !== null && seconds >= 0 ? `${what} ${Math.floor(seconds)} s ago` : undefined

const WRONG_VERIFIER =
  'the code_verifier is missing or wrong, or the citizen app issued the code without a code_challenge'
const WRONG_PURPOSE = 'made for inquire; profile by QR needs a value made for share'

const unknown = ({ is_known }: FoundValue) => (is_known ? undefined : 'unknown')
const EXPLAIN: Record<Kind, (found: FoundValue, refusal: Refusal) => string | undefined> = {
  secret_token: (found) => unknown(found) ?? ago('revoked', found.revoked_ago),
  partner_secret: (found) => unknown(found) ?? ago('revoked', found.revoked_ago),
  qr_value: (found, { operation }) => {
    if (!found.is_known) return NOT_USABLE
    if ((found.used_ago ?? -1) >= 0 && !found.is_own) return 'used by another partner'
    if (found.used_ago === null && found.purpose === 'inquire' && operation === 'profileByQr')
      return WRONG_PURPOSE
    return undefined
  },
  authorization_code: ({ is_known, is_own }) =>
    is_known && !is_own ? 'issued to another partner' : undefined,
  exchange_code: (found) => {
    if (found.is_known && !found.is_own) return 'issued to another partner'
    return found.is_own && !agoOf(found) ? WRONG_VERIFIER : undefined
  },
  access_token: ({ revoked_ago, secret_ended_ago }) => {
    if (revoked_ago !== null) return 'revoked, since its exchange code was sent again'
    return ago('the partner_secret that obtained it ended', secret_ended_ago)
  },
}
