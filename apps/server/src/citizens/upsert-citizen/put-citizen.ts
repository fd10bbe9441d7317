import type { AdminAction } from '../../audit/insert-audit.sql.ts'
import type { Service } from '../../operation.ts'
import { encryptCitizen, isStoredAlready } from '../citizen-encryption.ts'
import type { CitizenRecord } from '../profile.ts'
import { findStoredCitizen, updateCitizen, insertCitizen } from './put-citizen.sql.ts'

/**
 * Creates or replaces a citizen; returns whether the citizen was created. An unchanged one is not written, and has no
 * audit row. Without `action`, the service itself writes the citizen.
 */
export async function putCitizen(
  service: Service,
  { profile, passport }: CitizenRecord,
  action?: AdminAction,
): Promise<{ created: boolean }> {
  const { db, keys } = service
  const known = await findStoredCitizen(db, keys.hmacs('uniqid', profile.uniqid))
  if (known && isStoredAlready(keys, known, { profile, passport })) return { created: false }
  const encrypted = encryptCitizen(keys, known, { profile, passport })
  const isWritten = known
    ? await updateCitizen(db, encrypted, action)
    : await insertCitizen(db, keys.hmac('uniqid', profile.uniqid), encrypted, action)
  // Another request created or erased the citizen meanwhile: try again.
  return isWritten ? { created: !known } : putCitizen(service, { profile, passport }, action)
}
