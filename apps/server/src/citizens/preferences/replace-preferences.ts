import { readIfMatch } from '../../database/etag.ts'
import { Failure, unknownCitizen } from '../../failure.ts'
import type { Operation } from '../../operation.ts'
import { putPreferences } from './preferences.sql.ts'

export const replacePreferences: Operation<'replacePreferences'> = async (
  { db },
  { caller, body, header, requestId },
) => {
  const ifMatch = readIfMatch(header('If-Match'))
  const { stored, etag, is_match, unknown } = await putPreferences(
    db,
    caller.uniqidHmacs,
    body,
    requestId,
    ifMatch,
  )
  if (unknown.length > 0)
    throw new Failure('validation_failed', {
      errors: Object.fromEntries(unknown.map((index) => [`blocked_partners.${index}`, ['is not a partner']])),
    })
  if (is_match === false) throw new Failure('precondition_failed')
  if (!stored || !etag) throw unknownCitizen()
  return { status: 200, body: stored, headers: { ETag: etag } }
}
