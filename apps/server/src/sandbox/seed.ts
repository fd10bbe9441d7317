import { putCitizen } from '../citizens/upsert-citizen/put-citizen.ts'
import { withStartupLock } from '../database/startup-lock.ts'
import type { Service } from '../operation.ts'
import { sandboxCitizens } from './citizens.ts'
import { seedPartner } from './partner.ts'

/**
 * Writes the sandbox's partner and citizens, the same at every start. Any number of processes may do it at
 * once.
 */
export async function seedSandbox(service: Service): Promise<void> {
  await withStartupLock(service.db, (tx) => seedPartner({ ...service, db: tx }))
  for (const citizen of sandboxCitizens(service.config.publicUrl)) await putCitizen(service, citizen)
}
