import { Failure, unknownCitizen } from '../../failure.ts'
import type { Operation } from '../../operation.ts'
import { putPreferences } from './preferences.sql.ts'

export const replacePreferences: Operation<'replacePreferences'> = async (
  { db },
  { caller, body, requestId },
) => {
  const { stored, unknown } = await putPreferences(db, caller.uniqidHmacs, body, requestId)
  if (unknown.length > 0)
    throw new Failure('validation_failed', {
      errors: Object.fromEntries(unknown.map((index) => [`blocked_partners.${index}`, ['is not a partner']])),
    })
  if (!stored) throw unknownCitizen()
  return { status: 200, body: stored }
}
