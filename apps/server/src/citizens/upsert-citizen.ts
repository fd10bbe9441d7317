import { Failure } from '../http/failure.ts'
import type { Operation } from '../operation.ts'
import { putCitizen } from './store.ts'

export const upsertCitizen: Operation<'upsertCitizen'> = async ({ db }, { path, body }) => {
  if (body.profile.uniqid !== path.uniqid)
    throw new Failure('validation_failed', { errors: { 'profile.uniqid': ['must equal the uniqid in the path'] } })
  const { created } = await putCitizen(db, body)
  return { status: 200, body: { uniqid: path.uniqid, created } }
}
