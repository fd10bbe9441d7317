import { type KeyObject, randomUUID } from 'node:crypto'
import type { Schemas } from '@tiwala/contract'
import type { Deed } from '../audit/store.ts'
import type { Service } from '../operation.ts'
import type { KeyRing } from '../secrets/key-ring.ts'
import { mintDataKey, open, seal, unwrapKey, wrapKey } from '../secrets/seal.ts'
import type { CitizenRecord } from './profile.ts'
import { findBehind, findDataKey, insertCitizen, moveKeys, type SealedCitizen, updateCitizen } from './store.ts'

type Column = 'uniqid' | 'profile' | 'passport'

/** What every row that holds something of a citizen's is read with. */
export type SealedBy = Pick<SealedCitizen, 'subject' | 'data_key'>

const keyPlace = (subject: string) => `citizen.data_key ${subject}`
const place = (column: Column, subject: string) => `citizen.${column} ${subject}`
const snapshotPlace = (recordId: number) => `authorization_record.snapshot ${recordId}`

/** The citizen's own key. */
export const dataKeyOf = (keys: KeyRing, { subject, data_key }: SealedBy): KeyObject => unwrapKey(keys, keyPlace(subject), data_key)

/** Creates or replaces a citizen; tells whether they were unknown. No deed: nobody asked for it. */
export async function putCitizen(service: Service, { profile, passport }: CitizenRecord, deed?: Deed): Promise<{ created: boolean }> {
  const { db, keys } = service
  const known = await findDataKey(db, keys.macs('uniqid', profile.uniqid))
  const sealed = sealCitizen(keys, known, { profile, passport })
  const isWritten = known
    ? await updateCitizen(db, sealed, deed)
    : await insertCitizen(db, keys.mac('uniqid', profile.uniqid), sealed, deed)
  // Somebody was faster: created or erased them meanwhile.
  return isWritten ? { created: !known } : putCitizen(service, { profile, passport }, deed)
}

/** Seals what replaces what is `known`, or else makes the citizen's key. */
export function sealCitizen(keys: KeyRing, known: SealedBy | undefined, { profile, passport }: CitizenRecord): SealedCitizen {
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

export const openUniqid = (dataKey: KeyObject, subject: string, uniqid: string): string =>
  open(dataKey, place('uniqid', subject), uniqid).toString()

export const openProfile = (dataKey: KeyObject, subject: string, profile: string): Schemas['Profile'] =>
  JSON.parse(open(dataKey, place('profile', subject), profile).toString()) as Schemas['Profile']

export const openPassport = (dataKey: KeyObject, subject: string, passport: string): Schemas['Passport'] =>
  JSON.parse(open(dataKey, place('passport', subject), passport).toString()) as Schemas['Passport']

/** A copy of the profile, for one record. */
export const sealSnapshot = (dataKey: KeyObject, recordId: number, profile: Schemas['Profile']): string =>
  seal(dataKey, snapshotPlace(recordId), JSON.stringify(profile))

export const openSnapshot = (dataKey: KeyObject, recordId: number, snapshot: string): Schemas['Profile'] =>
  JSON.parse(open(dataKey, snapshotPlace(recordId), snapshot).toString()) as Schemas['Profile']

export function openCitizen(keys: KeyRing, { subject, data_key, profile, passport }: Omit<SealedCitizen, 'uniqid'>): CitizenRecord {
  const dataKey = dataKeyOf(keys, { subject, data_key })
  return {
    profile: openProfile(dataKey, subject, profile),
    passport: passport === null ? null : openPassport(dataKey, subject, passport),
  }
}

/** Brings citizens' keys under the current keys; returns how many. */
export async function moveToCurrentKeys({ db, keys }: Service, limit: number, deed: Pick<Deed, 'actor' | 'requestId'>): Promise<number> {
  const behind = await findBehind(db, keys.current('key-encryption').kid, keys.current('pepper').kid, limit)
  const moved = behind.map(({ id, subject, data_key, uniqid }) => {
    const dataKey = dataKeyOf(keys, { subject, data_key })
    return {
      id,
      from: data_key,
      data_key: wrapKey(keys, keyPlace(subject), dataKey),
      uniqid_mac: keys.mac('uniqid', openUniqid(dataKey, subject, uniqid)),
    }
  })
  await moveKeys(db, moved, deed)
  return moved.length
}
