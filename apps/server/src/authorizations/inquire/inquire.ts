import { Failure } from '../../failure.ts'
import type { Operation } from '../../operation.ts'
import { withCurrentAccess, requireScope } from '../../partners/access.ts'
import { accessOf } from '../../partners/partner.ts'
import { limitDisclosures } from '../disclosure-limit.ts'
import { decryptRecord, recordHeaders, toViewed, toInquiry } from '../record.ts'
import { inquireRecord } from './inquire.sql.ts'
import { beginPoll, forgetPoll, rejectEagerPolling, secondsToWait } from './poll-limit.ts'
import { preferredWaitSeconds, readOrWait } from './wait.ts'

export const inquire: Operation<'inquire'> = async (service, call) => {
  const { caller, query, header, requestId, onClose, slot } = call
  const { db, config, keys } = service
  const record = { partner_id: caller.id, tracking_no: query.tracking_no }
  rejectEagerPolling(record)
  call.passed('polling')
  const requestedAtMs = performance.now()
  const waitSeconds = Math.min(preferredWaitSeconds(header('Prefer')), config.maxWaitSeconds)
  const read = async () => {
    const poll = beginPoll(record)
    const readAtMs = performance.now()
    const found = await withCurrentAccess(call, 'PROFILE_INQUIRE', async (current) => {
      const inquiry = {
        ...accessOf(current),
        trackingNo: query.tracking_no,
        requestId,
        timeZone: config.timeZone,
      }
      const inquired = await limitDisclosures(
        record,
        config.disclosuresPerRecordAndHour,
        () => inquireRecord(db, inquiry),
        (inquiredRecord) => inquiredRecord?.snapshot != null,
      )
      if (!inquired) throw new Failure('tracking_no_not_found')
      call.passed('record')
      if (inquired.is_current) requireScope(current, inquired.scope)
      return inquired
    })
    return { ...decryptRecord(keys, found), secret_seconds_left: found.secret_seconds_left, poll, readAtMs }
  }
  const row = await (waitSeconds ? readOrWait(service, record, read, waitSeconds, { onClose, slot }) : read())
  const headers = recordHeaders(row, config)
  if (row.state === 'PENDING') {
    // The record expires before the notification of it, so the limit ends when the record expires.
    const expiresAtMs = row.readAtMs + row.seconds_left * 1000
    row.poll.refusedUntilMs = Math.min(requestedAtMs + config.pollIntervalSeconds * 1000, expiresAtMs)
    if (waitSeconds) headers['Retry-After'] = String(secondsToWait(requestedAtMs, config.pollIntervalSeconds))
  } else forgetPoll(record)
  if (waitSeconds) headers['Preference-Applied'] = `wait=${waitSeconds}`
  if (!row.snapshot && (row.state === 'ACCEPTED' || row.state === 'VIEWED'))
    throw new Failure('result_expired')
  const data = row.state === 'VIEWED' ? toViewed({ ...row, snapshot: row.snapshot! }) : toInquiry(row)
  return { status: 200, headers, body: { status: 200, message: 'OK', data } }
}
