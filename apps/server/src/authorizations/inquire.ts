import { Failure } from '../http/failure.ts'
import type { Operation } from '../operation.ts'
import { requireScope } from '../partners/authenticate-partner.ts'
import { refuseEagerPolling, rememberPoll, secondsToWait } from './poll-limit.ts'
import { openRecord, recordHeaders, toInquiry, toViewed } from './record.ts'
import { inquireRecord } from './store.ts'
import { preferredWaitSeconds, readOrWait } from './waiting.ts'

export const inquire: Operation<'inquire'> = async (service, { caller, query, header, requestId, onClose, place }) => {
  const { db, config, keys } = service
  requireScope(caller, 'PROFILE_INQUIRE')
  const polled = { partner_id: caller.id, tracking_no: query.tracking_no }
  refuseEagerPolling(polled, config.pollIntervalSeconds)
  const askedAtMs = performance.now()
  const waitSeconds = Math.min(preferredWaitSeconds(header('Prefer')), config.longestWaitSeconds)
  const read = async () => {
    const found = await inquireRecord(db, { partnerId: caller.id, trackingNo: query.tracking_no, requestId, timeZone: config.timeZone })
    if (!found) throw new Failure('tracking_no_not_found')
    // The partner was changed a moment ago: asking again tells what holds now.
    if (!found.is_allowed && caller.scopes.includes(found.scope)) throw new Failure('unavailable', { retryAfterSeconds: 1 })
    return openRecord(keys, found)
  }
  const row = await (waitSeconds ? readOrWait(service, polled, read, waitSeconds, { onClose, place }) : read())
  requireScope(caller, row.scope)
  const headers = recordHeaders(row, config)
  if (row.state === 'PENDING') {
    rememberPoll(polled, askedAtMs)
    if (waitSeconds) headers['Retry-After'] = String(secondsToWait(askedAtMs, config.pollIntervalSeconds))
  }
  if (waitSeconds) headers['Preference-Applied'] = `wait=${waitSeconds}`
  if (!row.snapshot && (row.state === 'ACCEPTED' || row.state === 'VIEWED')) throw new Failure('result_expired')
  const data = row.state === 'VIEWED' ? toViewed({ ...row, snapshot: row.snapshot! }) : toInquiry(row)
  return { status: 200, headers, body: { status: 200, message: 'OK', data } }
}
