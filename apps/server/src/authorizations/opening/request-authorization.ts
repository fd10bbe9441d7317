import { Failure, fieldFailure } from '../../http/failure.ts'
import type { Operation } from '../../operation.ts'
import { requireScope } from '../../partners/authenticate-partner.ts'
import { accessOf } from '../../partners/store.ts'
import { withCurrentAccess } from '../../partners/with-current-access.ts'
import { isQrValue } from '../../secrets/artefact.ts'
import { disclosing } from '../disclosure.ts'
import { openRecord, recordHeaders, toInquiry } from '../record.ts'
import { findRetried, openPending } from './store.ts'

export const requestAuthorization: Operation<'requestAuthorization'> = async (service, call) => {
  const { caller, body, requestId } = call
  const { db, config, keys } = service
  requireScope(caller, 'PROFILE_INQUIRE')
  if (!isQrValue(body.qr_value)) throw fieldFailure('qr_value_invalid', 'qr_value')
  const qrMacs = keys.macs('qr_value', body.qr_value)
  const opened = await withCurrentAccess(call, 'PROFILE_INQUIRE', (current) =>
    openPending(db, { ...accessOf(current), qrMacs, qrValue: body.qr_value, requestId }, config),
  )
  if (opened.wait_seconds !== null)
    throw new Failure('rate_limited', {
      retryAfterSeconds: opened.wait_seconds,
      message: 'This citizen has been asked too often',
      check: 'citizen_rate',
    })
  const found = opened.id === null ? await findRetried(db, caller.id, qrMacs, 'PROFILE_INQUIRE', config) : opened
  const row = found && openRecord(keys, found)
  // Accepted meanwhile, but the profile may not be read: its time is over, or the citizen forbids it now.
  const isWithheld = row?.state === 'ACCEPTED' && !row.snapshot
  if (!row || isWithheld) throw fieldFailure('qr_value_invalid', 'qr_value')
  return {
    status: 200,
    headers: recordHeaders(row, config),
    body: { status: 200, message: 'OK', data: toInquiry(row) },
    ...disclosing(service, row, call),
  }
}
