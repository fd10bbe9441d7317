import { unknownPartner } from '../../failure.ts'
import { requireSafeCallback } from '../../network/safe-url.ts'
import type { Operation } from '../../operation.ts'
import { toPartner } from '../partner.ts'
import { setCallbackUrl } from './set-callback.sql.ts'

export const setCallback: Operation<'setCallback'> = async (
  service,
  { caller, path, query, body: { callback_url }, requestId },
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
  const partner = await setCallbackUrl(service, path.partner_code, callback_url, action)
  if (!partner) throw unknownPartner()
  return { status: 200, body: toPartner(partner) }
}
