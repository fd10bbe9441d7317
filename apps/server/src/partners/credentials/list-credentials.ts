import { unknownPartner } from '../../failure.ts'
import type { Operation, Service } from '../../operation.ts'
import { listCredentialsOf } from './credential.sql.ts'
import { toCredential } from './credential.ts'

/** `maxItems` of the OpenAPI document. */
const MAX_CREDENTIALS = 100

export const listCredentials: Operation<'listCredentials'> = (service, { path }) =>
  list(service, path.partner_code)

export async function list({ db }: Service, partnerCode: string) {
  const credentials = await listCredentialsOf(db, partnerCode, MAX_CREDENTIALS)
  if (!credentials) throw unknownPartner()
  return { status: 200 as const, body: { credentials: credentials.map(toCredential) } }
}
