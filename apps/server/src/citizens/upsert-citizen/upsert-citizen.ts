import { Failure } from '../../failure.ts'
import type { Operation } from '../../operation.ts'
import { findRegistrationFaults } from '../registration-faults.ts'
import { putCitizen } from './put-citizen.ts'

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
  const { created } = await putCitizen(service, body, {
    kind: 'citizen.written',
    actor: caller.subject,
    requestId,
  })
  return { status: 200, body: { uniqid: path.uniqid, created } }
}
