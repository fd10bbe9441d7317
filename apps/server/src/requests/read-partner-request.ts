import { Failure } from '../failure.ts'
import type { Operation } from '../operation.ts'
import { explainRequest } from './read-request.ts'
import { findPartnerOfRequest } from './requests.sql.ts'

export const readPartnerRequest: Operation<'readPartnerRequest'> = async (service, { path }) => {
  const partner = await findPartnerOfRequest(service.db, path.request_id)
  const explained = partner && (await explainRequest(service, partner.id, path.request_id))
  if (!explained) throw new Failure('not_found', { message: 'No request of a partner has this request_id' })
  const { partner_code, name: partner_name } = partner
  return { status: 200, body: { partner_code, partner_name, ...explained } }
}
