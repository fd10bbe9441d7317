import { Failure } from '../http/failure.ts'
import type { Operation } from '../operation.ts'
import { requireScope } from '../partners/authenticate-partner.ts'
import { disclosing } from './disclosure.ts'
import { refuseEagerPolling, rememberPending } from './poll-limit.ts'
import { recordHeaders, toInquiry, toViewed } from './record.ts'
import { findRecord } from './store.ts'

export const inquire: Operation<'inquire'> = async (service, { caller, query, requestId }) => {
  const { db, config } = service
  requireScope(caller, 'PROFILE_INQUIRE')
  refuseEagerPolling(caller.id, query.tracking_no, config.pollIntervalSeconds)
  const row = await findRecord(db, caller.id, query.tracking_no)
  if (!row) throw new Failure('tracking_no_not_found')
  requireScope(caller, row.scope)
  if (row.state === 'PENDING') rememberPending(caller.id, query.tracking_no)
  const disclosure = disclosing(service, row, caller.id, requestId)
  const data = row.state === 'VIEWED' ? toViewed({ ...row, snapshot: row.snapshot! }) : toInquiry(row, config)
  return { status: 200, headers: recordHeaders(row, config), body: { status: 200, message: 'OK', data }, ...disclosure }
}
