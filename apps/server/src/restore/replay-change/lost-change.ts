// Reads the fields of a lost change. Their texts are those that the audit has (`detail` of the schema
// `AuditEvent`).
import type { Schemas } from '@tiwala/contract'
import type { Restriction } from '../../citizens/preferences/preferences.sql.ts'
import { NOT_STORABLE, parseTime } from '../../database/clock.ts'
import { Failure } from '../../failure.ts'
import type { CredentialKind } from '../../partners/credentials/credential.ts'
import type { Rotation } from '../../partners/credentials/rotate-credential/rotate-credential.sql.ts'

type LostChange = Schemas['LostChange']

const CREDENTIAL = /^crd_[\w-]{1,64}$/

const ROTATION = /^(secret_token|partner_secret) (crd_[\w-]{1,64}) replaces (none|\S.*)$/

const REPLACED = /^(crd_[\w-]{1,64}) until (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)$/

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

const SUBJECT = new RegExp(`^${UUID}$`)

const PREFERENCES = new RegExp(`^(${UUID}): (\\S.*)$`)

const PREFERENCE = /^(?:frozen|unfrozen|(?:blocked|unblocked)(?: [A-Z0-9_]{2,32})+)$/

const refuse = (field: keyof LostChange, reason: string): never => {
  throw new Failure('validation_failed', { errors: { [field]: [reason] } })
}

const refuseDetail = () => refuse('detail', 'is not the text of such an audit event')

export function readField(change: LostChange, field: 'partner_code' | 'tracking_no' | 'detail'): string {
  return change[field] ?? refuse(field, `is required for ${change.kind}`)
}

export const readTime = ({ occurred_at }: LostChange): Date =>
  parseTime(occurred_at) ?? refuse('occurred_at', NOT_STORABLE)

/** `now`: of the database. A time of the future would be later than each change since the restore. */
export function requirePast(change: LostChange, now: Date): void {
  if (readTime(change) > now) refuse('occurred_at', 'is in the future')
}

export function readCredentialId(change: LostChange): string {
  const detail = readField(change, 'detail')
  return CREDENTIAL.test(detail) ? detail : refuseDetail()
}

export function readSubject(change: LostChange): string {
  const detail = readField(change, 'detail')
  return SUBJECT.test(detail) ? detail : refuseDetail()
}

export function readRotation(change: LostChange): Rotation {
  const [, kind, successor, list] = ROTATION.exec(readField(change, 'detail')) ?? refuseDetail()
  const replaced = (list === 'none' ? [] : list!.split(', ')).map((text) => {
    const [, id, until] = REPLACED.exec(text) ?? refuseDetail()
    return { id: id!, until: parseTime(until!) ?? refuseDetail() }
  })
  return { kind: kind as CredentialKind, successor: successor!, replaced }
}

/** What the change forbids. What it allows is left out. */
export function readRestriction(change: LostChange): Restriction & { subject: string } {
  const [, subject, list] = PREFERENCES.exec(readField(change, 'detail')) ?? refuseDetail()
  const parts = list!.split(', ')
  if (!parts.every((part) => PREFERENCE.test(part))) refuseDetail()
  const block = parts
    .filter((part) => part.startsWith('blocked '))
    .flatMap((part) => part.split(' ').slice(1))
  return { subject: subject!, freeze: parts.includes('frozen'), block }
}
