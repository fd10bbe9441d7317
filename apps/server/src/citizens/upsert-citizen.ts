import { Failure } from '../failure.ts'
import type { Operation } from '../operation.ts'
import { putCitizens } from './put-citizens.ts'
import { findRegistrationFaults } from './registration-faults.ts'

export const upsertCitizen: Operation<'upsertCitizen'> = async (
  service,
  { caller, path, body, requestId },
) => {
  if (body.profile.uniqid !== path.uniqid)
    throw new Failure('validation_failed', {
      errors: { 'profile.uniqid': ['must equal the uniqid in the path'] },
    })
  const errors = findRegistrationFaults(body, service.config.environment)
  if (errors) throw new Failure('validation_failed', { errors })
  const action = { kind: 'citizen.written', actor: caller.subject, requestId }
  const created = await putCitizens(service, [body], action)
  return { status: 200, body: { uniqid: path.uniqid, created: created === 1 } }
}
