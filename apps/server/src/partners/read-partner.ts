import { unknownPartner } from '../failure.ts'
import type { Operation } from '../operation.ts'
import { findPartner } from './partner.sql.ts'
import { toPartner } from './partner.ts'

export const readPartner: Operation<'readPartner'> = async ({ db }, { path }) => {
  const partner = await findPartner(db, path.partner_code)
  if (!partner) throw unknownPartner()
  return { status: 200, body: toPartner(partner), headers: { ETag: partner.etag } }
}
