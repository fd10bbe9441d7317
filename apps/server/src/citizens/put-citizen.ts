import type { AdminAction } from '../audit/store.ts'
import type { Service } from '../operation.ts'
import { encryptCitizen } from './citizen-encryption.ts'
import type { CitizenRecord } from './profile.ts'
import { findDataKey, insertCitizen, updateCitizen } from './store.ts'

/** Creates or replaces a citizen; tells whether they were unknown. No action: nobody asked for it. */
export async function putCitizen(
  service: Service,
  { profile, passport }: CitizenRecord,
  action?: AdminAction,
): Promise<{ created: boolean }> {
  const { db, keys } = service
  const known = await findDataKey(db, keys.hmacs('uniqid', profile.uniqid))
  const sealed = encryptCitizen(keys, known, { profile, passport })
  const isWritten = known
    ? await updateCitizen(db, sealed, action)
    : await insertCitizen(db, keys.hmac('uniqid', profile.uniqid), sealed, action)
  // Somebody was faster: created or erased them meanwhile.
  return isWritten ? { created: !known } : putCitizen(service, { profile, passport }, action)
}
