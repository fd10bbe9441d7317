import { fieldFailure } from '../http/failure.ts'
import type { Operation } from '../operation.ts'
import { requireScope } from '../partners/authenticate-partner.ts'
import { isQrValue } from '../secrets/artefact.ts'
import { disclosing } from './disclosure.ts'
import { recordHeaders, toInquiry } from './record.ts'
import { findRetried, openPending } from './store.ts'

export const requestAuthorization: Operation<'requestAuthorization'> = async (service, { caller, body, requestId }) => {
  const { db, config, keys } = service
  requireScope(caller, 'PROFILE_INQUIRE')
  if (!isQrValue(body.qr_value)) throw fieldFailure('qr_value_invalid', 'qr_value')
  const qrMac = keys.mac('qr_value', body.qr_value)
  const row =
    (await openPending(db, { partnerId: caller.id, qrMac, qrValue: body.qr_value, requestId }, config.authorizationTtlSeconds)) ??
    (await findRetried(db, caller.id, qrMac, 'PROFILE_INQUIRE', config.qrRetrySeconds))
  if (!row) throw fieldFailure('qr_value_invalid', 'qr_value')
  return {
    status: 200,
    headers: recordHeaders(row, config),
    body: { status: 200, message: 'OK', data: toInquiry(row, config) },
    ...disclosing(service, row, caller.id, requestId),
  }
}
