import { readIfMatch } from '../../database/etag.ts'
import { Failure, unknownPartner } from '../../failure.ts'
import { requireSafeCallback } from '../../network/safe-url.ts'
import type { Operation } from '../../operation.ts'
import { toPartner } from '../partner.ts'
import { setCallbackUrl } from './set-callback.sql.ts'

export const setCallback: Operation<'setCallback'> = async (
  service,
  { caller, path, query, body: { callback_url }, header, requestId },
) => {
  const { config } = service
  requireSafeCallback(callback_url, config.callbackAddresses)
  const action = {
    kind: 'partner.changed',
    actor: caller.subject,
    requestId,
    detail: 'callback_url',
    ...query,
  }
  const ifMatch = readIfMatch(header('If-Match'))
  const partner = await setCallbackUrl(service, path.partner_code, callback_url, action, ifMatch)
  if (!partner) throw unknownPartner()
  if (!partner.is_match) throw new Failure('precondition_failed')
  return { status: 200, body: toPartner(partner), headers: { ETag: partner.etag } }
}
