import { type KeyObject, randomUUID } from 'node:crypto'
import type { Schemas } from '@tiwala/contract'
import { mintDataKey, open, seal, unwrapKey, wrapKey } from '../secrets/encryption.ts'
import type { KeyRing } from '../secrets/key-ring.ts'
import type { CitizenRecord } from './profile.ts'
import type { EncryptedCitizen } from './store.ts'

type Column = 'uniqid' | 'profile' | 'passport'

/** What every row that holds something of a citizen's is read with. */
export type EncryptionKeys = Pick<EncryptedCitizen, 'subject' | 'data_key'>

export const keyPlace = (subject: string) => `citizen.data_key ${subject}`
const place = (column: Column, subject: string) => `citizen.${column} ${subject}`
const snapshotPlace = (recordId: number) => `authorization_record.snapshot ${recordId}`

/** The citizen's own key. */
export const dataKeyOf = (keys: KeyRing, { subject, data_key }: EncryptionKeys): KeyObject => unwrapKey(keys, keyPlace(subject), data_key)

/** Seals what replaces what is `known`, or else makes the citizen's key. */
export function encryptCitizen(keys: KeyRing, known: EncryptionKeys | undefined, { profile, passport }: CitizenRecord): EncryptedCitizen {
  const subject = known?.subject ?? randomUUID()
  const dataKey = known ? dataKeyOf(keys, known) : mintDataKey()
  return {
    subject,
    data_key: known?.data_key ?? wrapKey(keys, keyPlace(subject), dataKey),
    uniqid: seal(dataKey, place('uniqid', subject), profile.uniqid),
    profile: seal(dataKey, place('profile', subject), JSON.stringify(profile)),
    passport: passport && seal(dataKey, place('passport', subject), JSON.stringify(passport)),
  }
}

export const decryptUniqid = (dataKey: KeyObject, subject: string, uniqid: string): string =>
  open(dataKey, place('uniqid', subject), uniqid).toString()

export const decryptProfile = (dataKey: KeyObject, subject: string, profile: string): Schemas['Profile'] =>
  JSON.parse(open(dataKey, place('profile', subject), profile).toString()) as Schemas['Profile']

export const decryptPassport = (dataKey: KeyObject, subject: string, passport: string): Schemas['Passport'] =>
  JSON.parse(open(dataKey, place('passport', subject), passport).toString()) as Schemas['Passport']

/** A copy of the profile, for one record. */
export const encryptSnapshot = (dataKey: KeyObject, recordId: number, profile: Schemas['Profile']): string =>
  seal(dataKey, snapshotPlace(recordId), JSON.stringify(profile))

export const decryptSnapshot = (dataKey: KeyObject, recordId: number, snapshot: string): Schemas['Profile'] =>
  JSON.parse(open(dataKey, snapshotPlace(recordId), snapshot).toString()) as Schemas['Profile']

export function decryptCitizen(keys: KeyRing, { subject, data_key, profile, passport }: Omit<EncryptedCitizen, 'uniqid'>): CitizenRecord {
  const dataKey = dataKeyOf(keys, { subject, data_key })
  return {
    profile: decryptProfile(dataKey, subject, profile),
    passport: passport === null ? null : decryptPassport(dataKey, subject, passport),
  }
}
