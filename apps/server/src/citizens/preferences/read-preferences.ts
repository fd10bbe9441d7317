import { unknownCitizen } from '../../failure.ts'
import type { Operation } from '../../operation.ts'
import { findPreferences } from './preferences.sql.ts'

export const readPreferences: Operation<'readPreferences'> = async ({ db }, { caller }) => {
  const preferences = await findPreferences(db, caller.uniqidHmacs)
  if (!preferences) throw unknownCitizen()
  return { status: 200, body: preferences.stored, headers: { ETag: preferences.etag } }
}
