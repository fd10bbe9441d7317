import { unknownPartner } from '../failure.ts'
import { findPartnerId } from '../members/member.sql.ts'
import type { Operation } from '../operation.ts'
import { readFiguresOf } from './read-figures.ts'

export const readPartnerFigures: Operation<'readPartnerFigures'> = async (service, { path, query }) => {
  const id = await findPartnerId(service.db, path.partner_code)
  if (id === undefined) throw unknownPartner()
  return { status: 200, body: await readFiguresOf(service, { id, code: path.partner_code }, query) }
}
