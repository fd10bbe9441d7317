import { Failure, fieldFailure } from '../../failure.ts'
import type { Operation } from '../../operation.ts'
import { accessOf } from '../../partners/partner.ts'
import { withCurrentAccess } from '../../partners/with-current-access.ts'
import { isQrValue } from '../../secrets/tokens.ts'
import { recordingDisclosure } from '../record-disclosure.ts'
import { decryptRecord, recordHeaders, toInquiry } from '../record.ts'
import { findRetried, openPending } from './store.ts'

export const requestAuthorization: Operation<'requestAuthorization'> = async (service, call) => {
  const { caller, body, requestId } = call
  const { db, config, keys } = service
  if (!isQrValue(body.qr_value)) throw fieldFailure('qr_value_invalid', 'qr_value')
  const qrHmacs = keys.hmacs('qr_value', body.qr_value)
  const opened = await withCurrentAccess(call, 'PROFILE_INQUIRE', (current) =>
    openPending(db, { ...accessOf(current), qrHmacs, qrValue: body.qr_value, requestId }, config),
  )
  if (opened.wait_seconds !== null)
    throw new Failure('rate_limited', {
      retryAfterSeconds: opened.wait_seconds,
      message: 'This citizen has been asked too often',
      check: 'citizen_rate',
    })
  const found = opened.id === null ? await findRetried(db, caller.id, qrHmacs, 'PROFILE_INQUIRE', config) : opened
  const row = found && decryptRecord(keys, found)
  // Accepted meanwhile, but the profile may not be read: its time is over, or the citizen forbids it now.
  const isWithheld = row?.state === 'ACCEPTED' && !row.snapshot
  if (!row || isWithheld) throw fieldFailure('qr_value_invalid', 'qr_value')
  return {
    status: 200,
    headers: recordHeaders(row, config),
    body: { status: 200, message: 'OK', data: toInquiry(row) },
    ...recordingDisclosure(service, row, call),
  }
}
