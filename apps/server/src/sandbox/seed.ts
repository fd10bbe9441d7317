import { putCitizen } from '../citizens/sealed.ts'
import type { Service } from '../operation.ts'
import { sandboxCitizens } from './citizens.ts'
import { seedPartner } from './partner.ts'

/** Writes the sandbox's partner and citizens, the same at every start. */
export async function seedSandbox(service: Service): Promise<void> {
  await seedPartner(service)
  for (const citizen of sandboxCitizens(service.config.publicUrl)) await putCitizen(service, citizen)
}
