import { Failure } from '../http/failure.ts'
import type { Operation } from '../operation.ts'
import { requireScope } from '../partners/authenticate-partner.ts'
import { disclosing } from './disclosure.ts'
import { refuseEagerPolling, rememberPoll, secondsToWait } from './poll-limit.ts'
import { openRecord, recordHeaders, toInquiry, toViewed } from './record.ts'
import { findRecord } from './store.ts'
import { preferredWaitSeconds, readOrWait } from './waiting.ts'

export const inquire: Operation<'inquire'> = async (service, { caller, query, header, requestId, onClose }) => {
  const { db, config, keys } = service
  requireScope(caller, 'PROFILE_INQUIRE')
  const polled = { partner_id: caller.id, tracking_no: query.tracking_no }
  refuseEagerPolling(polled, config.pollIntervalSeconds)
  const askedAtMs = performance.now()
  const waitSeconds = Math.min(preferredWaitSeconds(header('Prefer')), config.longestWaitSeconds)
  const read = async () => {
    const found = await findRecord(db, caller.id, query.tracking_no)
    if (!found) throw new Failure('tracking_no_not_found')
    return openRecord(keys, found)
  }
  const row = await (waitSeconds ? readOrWait(service, polled, read, waitSeconds, onClose) : read())
  requireScope(caller, row.scope)
  const headers = recordHeaders(row, config)
  if (row.state === 'PENDING') {
    rememberPoll(polled, askedAtMs)
    if (waitSeconds) headers['Retry-After'] = String(secondsToWait(askedAtMs, config.pollIntervalSeconds))
  }
  if (waitSeconds) headers['Preference-Applied'] = `wait=${waitSeconds}`
  const disclosure = disclosing(service, row, caller.id, requestId)
  const data = row.state === 'VIEWED' ? toViewed({ ...row, snapshot: row.snapshot! }) : toInquiry(row, config)
  return { status: 200, headers, body: { status: 200, message: 'OK', data }, ...disclosure }
}
