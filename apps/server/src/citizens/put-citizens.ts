import type { AdminAction } from '../audit/insert-audit.sql.ts'
import type { Service } from '../operation.ts'
import { encryptCitizen, isStoredAlready } from './citizen-encryption.ts'
import type { CitizenRecord } from './profile.ts'
import { findStoredCitizens, type NewCitizenRow, writeCitizens } from './put-citizens.sql.ts'

/**
 * Creates or replaces citizens; returns how many were created. An unchanged one is not written, and has no audit row.
 * Without `action`, the service itself writes the citizens.
 */
export async function putCitizens(
  service: Pick<Service, 'db' | 'keys'>,
  citizens: CitizenRecord[],
  action?: AdminAction,
): Promise<number> {
  if (citizens.length === 0) return 0
  const { db, keys } = service
  const hashed = citizens.map((citizen) => ({ citizen, hmacs: keys.hmacs('uniqid', citizen.profile.uniqid) }))
  const known = await findStoredCitizens(
    db,
    hashed.flatMap(({ hmacs }) => hmacs),
  )
  const changed = hashed.flatMap(({ citizen, hmacs }) => {
    const found = hmacs.map((hmac) => known.get(hmac)).find((each) => each !== undefined)
    if (found && isStoredAlready(keys, found, citizen)) return []
    const encrypted = encryptCitizen(keys, found, citizen)
    const row: NewCitizenRow = { ...encrypted, uniqid_hmac: hmacs[0]!, is_known: found !== undefined }
    return [{ citizen, row }]
  })
  if (changed.length === 0) return 0
  const written = await writeCitizens(
    db,
    changed.map(({ row }) => row),
    action,
  )
  const created = changed.filter(({ row }) => !row.is_known && written.has(row.subject)).length
  // Another request created or erased these meanwhile: try again.
  const missed = changed.flatMap(({ citizen, row }) => (written.has(row.subject) ? [] : [citizen]))
  return created + (await putCitizens(service, missed, action))
}
