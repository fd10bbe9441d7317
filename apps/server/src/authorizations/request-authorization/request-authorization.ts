import { fieldFailure, Failure } from '../../failure.ts'
import type { Operation } from '../../operation.ts'
import { withCurrentAccess } from '../../partners/access.ts'
import { accessOf } from '../../partners/partner.ts'
import { timedHmacs } from '../../secrets/timed-hmac.ts'
import { readQrValue } from '../../secrets/tokens.ts'
import { disclosureCommit } from '../disclosure-commit.ts'
import { findRecordOfRetry } from '../qr-presentation.sql.ts'
import { decryptRecord, recordHeaders, toInquiry } from '../record.ts'
import { createPendingRecord } from './request-authorization.sql.ts'

export const requestAuthorization: Operation<'requestAuthorization'> = async (service, call) => {
  const { caller, body, requestId } = call
  const { db, config, keys } = service
  const qrValue = readQrValue(body.qr_value)
  if (!qrValue) throw fieldFailure('qr_value_invalid', 'qr_value')
  const hmacs = timedHmacs(keys, 'qr_value', qrValue)
  const created = await withCurrentAccess(call, 'PROFILE_INQUIRE', (current) =>
    createPendingRecord(db, { ...accessOf(current), qrHmacs: hmacs, qrValue, requestId }, config),
  )
  if (created.wait_seconds !== null) {
    call.passed('qr_value')
    throw new Failure('rate_limited', {
      retryAfterSeconds: created.wait_seconds,
      message: 'This citizen has been asked too often',
      check: 'citizen_rate',
    })
  }
  const found =
    created.id === null ? await findRecordOfRetry(db, caller.id, hmacs, 'PROFILE_INQUIRE', config) : created
  const row = found && decryptRecord(keys, found)
  // The citizen accepted meanwhile, but the profile may not be read: its time is over, or the citizen now
  // forbids it.
  const isWithheld = row?.state === 'ACCEPTED' && !row.snapshot
  if (!row || isWithheld) throw fieldFailure('qr_value_invalid', 'qr_value')
  return {
    status: 200,
    headers: recordHeaders(row, config),
    body: { status: 200, message: 'OK', data: toInquiry(row) },
    ...disclosureCommit(service, row, call),
  }
}
