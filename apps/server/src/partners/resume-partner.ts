import { Failure } from '../http/failure.ts'
import type { Operation } from '../operation.ts'
import { setPartnerStatus } from './store.ts'
import { toPartner } from './wire.ts'

export const resumePartner: Operation<'resumePartner'> = async ({ db }, { path }) => {
  const partner = await setPartnerStatus(db, path.partner_code, 'ACTIVE')
  if (!partner) throw new Failure('not_found', { message: 'No partner has this partner_code' })
  return { status: 200, body: toPartner(partner) }
}
