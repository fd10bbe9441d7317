import { Failure } from '../http/failure.ts'
import type { Operation } from '../operation.ts'
import { requireRanges } from './allow-list.ts'
import { requireSafeUrl } from './safe-url.ts'
import { updatePartner } from './store.ts'
import { toPartner } from './wire.ts'

export const changePartner: Operation<'changePartner'> = async ({ db, config }, { caller, path, body, requestId }) => {
  requireSafeUrl('sso_url', body.sso_url, config.environment)
  requireRanges('ip_allow_list', body.ip_allow_list)
  const deed = { kind: 'partner.changed', actor: caller.subject, requestId, detail: Object.keys(body).join(' ') }
  const partner = await updatePartner(db, path.partner_code, body, deed)
  if (!partner) throw new Failure('not_found', { message: 'No partner has this partner_code' })
  return { status: 200, body: toPartner(partner) }
}
