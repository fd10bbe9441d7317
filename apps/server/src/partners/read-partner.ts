import { unknownPartner } from '../failure.ts'
import type { Operation } from '../operation.ts'
import { findPartner } from './partner.sql.ts'
import { toPartner } from './partner.ts'

export const readPartner: Operation<'readPartner'> = async ({ db }, { path }) => {
  const partner = await findPartner(db, path.partner_code)
  if (!partner) throw unknownPartner()
  const { going_live, decided_by_name, etag } = partner
  const body = toPartner(partner)
  if (going_live && decided_by_name !== null) body.going_live = { ...going_live, decided_by_name }
  return { status: 200, body, headers: { ETag: etag } }
}
