import { readIfMatch } from '../../database/etag.ts'
import { Failure, unknownPartner } from '../../failure.ts'
import type { Operation } from '../../operation.ts'
import { requireRanges } from '../allow-list.ts'
import { toPartner } from '../partner.ts'
import { findSimilar, requirePlainLetters } from '../similar-names.ts'
import { requireSsoUrl } from '../sso-url.ts'
import { updatePartner } from './change-partner.sql.ts'

export const changePartner: Operation<'changePartner'> = async (
  service,
  { caller, path, query, body, header, requestId },
) => {
  const { config } = service
  requireSsoUrl(body.sso_url, config.environment)
  requireRanges('ip_allow_list', body.ip_allow_list)
  requirePlainLetters(body)
  const action = {
    kind: 'partner.changed',
    actor: caller.subject,
    requestId,
    detail: Object.keys(body).join(' '),
    ...query,
  }
  const ifMatch = readIfMatch(header('If-Match'))
  const partner = await updatePartner(service, path.partner_code, body, action, ifMatch)
  if (!partner) throw unknownPartner()
  if (!partner.is_match) throw new Failure('precondition_failed')
  const similar = body.name === undefined ? {} : await findSimilar(service.db, partner)
  return { status: 200, body: { ...toPartner(partner), ...similar }, headers: { ETag: partner.etag } }
}
