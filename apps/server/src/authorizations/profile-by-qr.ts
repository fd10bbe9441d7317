import { Failure, fieldFailure } from '../http/failure.ts'
import type { Operation } from '../operation.ts'
import { requireScope } from '../partners/authenticate-partner.ts'
import { isQrValue } from '../secrets/artefact.ts'
import { disclosing } from './disclosure.ts'
import { recordHeaders, toViewed } from './record.ts'
import { findRetried, findShareable, openViewed } from './store.ts'

export const profileByQr: Operation<'profileByQr'> = async (service, { caller, query, requestId }) => {
  const { db, config, keys } = service
  const { qr_value } = query
  requireScope(caller, 'PROFILE_VIEW')
  const invalid = fieldFailure('qr_value_invalid', 'qr_value')
  if (!isQrValue(qr_value)) throw invalid
  const qrMac = keys.mac('qr_value', qr_value)
  const findMine = () => findRetried(db, caller.id, qrMac, 'PROFILE_VIEW', config.qrRetrySeconds)

  const shareable = await findShareable(db, qrMac)
  const mine = shareable ? undefined : await findMine()
  if (!shareable && !mine?.snapshot) throw invalid
  const viewed = shareable ? { ...shareable, qr_value, callback_url: caller.callback_url } : { ...mine!, snapshot: mine!.snapshot! }

  const open = async () => {
    const { callback_url, snapshot } = viewed
    if (
      await openViewed(db, { partnerId: caller.id, qrMac, qrValue: qr_value, requestId, callback_url, snapshot }, config.resultTtlSeconds)
    )
      return
    // A retry of this partner's may have come first: it opened this very record.
    const opened = await findMine()
    if (!opened) throw invalid
    // With the profile as it was a moment ago: what was recorded as given must be what is given.
    if (JSON.stringify(opened.snapshot) !== JSON.stringify(snapshot)) throw new Failure('unavailable', { retryAfterSeconds: 1 })
    await disclosing(service, opened, caller.id, requestId).commit?.()
  }
  return {
    status: 200,
    headers: recordHeaders({ state: 'VIEWED' }, config),
    body: { status: 200, message: 'OK', data: toViewed(viewed) },
    ...(mine ? disclosing(service, mine, caller.id, requestId) : { commit: open }),
  }
}
