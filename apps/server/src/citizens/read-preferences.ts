import { Failure } from '../failure.ts'
import type { Operation } from '../operation.ts'
import { findPreferences } from './store.ts'

export const readPreferences: Operation<'readPreferences'> = async ({ db }, { caller }) => {
  const preferences = await findPreferences(db, caller.uniqidHmacs)
  if (!preferences) throw new Failure('not_found', { message: 'The registry does not know this citizen' })
  return { status: 200, body: preferences }
}
