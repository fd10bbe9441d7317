// Encryption of what is stored of a citizen. Each citizen has a data key of their own, which encrypts their
// columns and every copy of their profile. The data key is stored in the citizen's row, wrapped by the
// key-encryption key of the key ring.
//
// Each value is bound to its place (table, column and row) through GCM's additional data: copied into another
// row or column, it cannot be decrypted. The row is named by the citizen's `subject`, a random id without
// meaning, or by the record's id.
//
// Example: a citizen accepts a request. `encryptSnapshot` encrypts a copy of the profile with the citizen's
// data key for that record. Later the citizen is erased: the data key is deleted, and the copy is unreadable,
// too.
//
// Guarantee: deleting one data key makes everything of that citizen unreadable, wherever it was copied.
import { type KeyObject, randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Schemas } from '@tiwala/contract'
import { unwrapKey, mintDataKey, wrapKey, encryptToText, decryptFromText } from '../secrets/encryption.ts'
import type { KeyRing } from '../secrets/key-ring.ts'
import type { CitizenRecord } from './profile.ts'

/** A citizen as stored: the data key wrapped by the key ring, everything else encrypted with the data key. */
export type EncryptedCitizen = {
  /** A random id without meaning. The encrypted values are bound to it. */
  subject: string
  data_key: string
  uniqid: string
  profile: string
  passport: string | null
}

/** What is read to compare a citizen with a new profile. */
export type StoredCitizen = Omit<EncryptedCitizen, 'uniqid'>

type EncryptedColumn = 'uniqid' | 'profile' | 'passport'

/** Read together with every row that contains encrypted data of a citizen. */
export type EncryptionKeys = Pick<EncryptedCitizen, 'subject' | 'data_key'>

export const dataKeyContext = (subject: string) => `citizen.data_key ${subject}`

const columnContext = (column: EncryptedColumn, subject: string) => `citizen.${column} ${subject}`

const snapshotContext = (recordId: number) => `authorization_record.snapshot ${recordId}`

/** The citizen's data key, unwrapped. */
export const dataKeyOf = (keys: KeyRing, { subject, data_key }: EncryptionKeys): KeyObject =>
  unwrapKey(keys, dataKeyContext(subject), data_key)

/** Encrypts a citizen with the data key of `known`, or with a new one for a new citizen. */
export function encryptCitizen(
  keys: KeyRing,
  known: EncryptionKeys | undefined,
  { profile, passport }: CitizenRecord,
): EncryptedCitizen {
  const subject = known?.subject ?? randomUUID()
  const dataKey = known ? dataKeyOf(keys, known) : mintDataKey()
  return {
    subject,
    data_key: known?.data_key ?? wrapKey(keys, dataKeyContext(subject), dataKey),
    uniqid: encryptToText(dataKey, columnContext('uniqid', subject), profile.uniqid),
    profile: encryptToText(dataKey, columnContext('profile', subject), JSON.stringify(profile)),
    passport:
      passport && encryptToText(dataKey, columnContext('passport', subject), JSON.stringify(passport)),
  }
}

export const decryptUniqid = (dataKey: KeyObject, subject: string, uniqid: string): string =>
  decryptFromText(dataKey, columnContext('uniqid', subject), uniqid).toString()

export const decryptProfile = (dataKey: KeyObject, subject: string, profile: string): Schemas['Profile'] =>
  JSON.parse(
    decryptFromText(dataKey, columnContext('profile', subject), profile).toString(),
  ) as Schemas['Profile']

export const decryptPassport = (dataKey: KeyObject, subject: string, passport: string): Schemas['Passport'] =>
  JSON.parse(
    decryptFromText(dataKey, columnContext('passport', subject), passport).toString(),
  ) as Schemas['Passport']

/** A copy of the profile, for one record. */
export const encryptSnapshot = (dataKey: KeyObject, recordId: number, profile: Schemas['Profile']): string =>
  encryptToText(dataKey, snapshotContext(recordId), JSON.stringify(profile))

export const decryptSnapshot = (dataKey: KeyObject, recordId: number, snapshot: string): Schemas['Profile'] =>
  JSON.parse(decryptFromText(dataKey, snapshotContext(recordId), snapshot).toString()) as Schemas['Profile']

export function decryptCitizen(
  keys: KeyRing,
  { subject, data_key, profile, passport }: StoredCitizen,
): CitizenRecord {
  const dataKey = dataKeyOf(keys, { subject, data_key })
  return {
    profile: decryptProfile(dataKey, subject, profile),
    passport: passport === null ? null : decryptPassport(dataKey, subject, passport),
  }
}

/** Whether the stored citizen has this profile and passport. Damaged values differ from all, so they are replaced. */
export function isStoredAlready(
  keys: KeyRing,
  stored: StoredCitizen,
  { profile, passport }: CitizenRecord,
): boolean {
  try {
    return isDeepStrictEqual(decryptCitizen(keys, stored), { profile, passport })
  } catch {
    return false
  }
}
