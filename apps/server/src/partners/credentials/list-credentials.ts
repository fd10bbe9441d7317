import { unknownPartner } from '../../failure.ts'
import type { Operation } from '../../operation.ts'
import { listCredentialsOf } from './credential.sql.ts'
import { toCredential } from './credential.ts'

/** `maxItems` of the OpenAPI document. */
const MAX_CREDENTIALS = 100

export const listCredentials: Operation<'listCredentials'> = async ({ db }, { path }) => {
  const credentials = await listCredentialsOf(db, path.partner_code, MAX_CREDENTIALS)
  if (!credentials) throw unknownPartner()
  return { status: 200, body: { credentials: credentials.map(toCredential) } }
}
