import { etagOfBody } from '../../database/etag.ts'
import { Failure } from '../../failure.ts'
import type { Operation } from '../../operation.ts'
import { findRegistration } from './registration.sql.ts'
import { toRegistration } from './registration.ts'

export const readSignInRegistration: Operation<'readSignInRegistration'> = async ({ db }, { path }) => {
  const row = await findRegistration(db, path.partner_code)
  if (!row)
    throw new Failure('not_found', { message: 'No partner with this partner_code is registered for sign-in' })
  const body = toRegistration(row)
  return { status: 200, body, headers: { ETag: etagOfBody(body) } }
}
