import { dataKeyOf, openProfile, sealSnapshot } from '../../citizens/sealed.ts'
import { Failure, fieldFailure } from '../../http/failure.ts'
import type { Operation } from '../../operation.ts'
import { requireScope } from '../../partners/authenticate-partner.ts'
import { accessOf } from '../../partners/store.ts'
import { withCurrentAccess } from '../../partners/with-current-access.ts'
import { isQrValue } from '../../secrets/artefact.ts'
import { disclosing } from '../disclosure.ts'
import { openRecord, recordHeaders, toViewed } from '../record.ts'
import { findRetried, openViewed } from './store.ts'

export const profileByQr: Operation<'profileByQr'> = async (service, call) => {
  const { caller, query, requestId } = call
  const { db, config, keys } = service
  const { qr_value } = query
  requireScope(caller, 'PROFILE_VIEW')
  const invalid = () => fieldFailure('qr_value_invalid', 'qr_value')
  if (!isQrValue(qr_value)) throw invalid()
  const qrMacs = keys.macs('qr_value', qr_value)
  const findMine = async () => {
    const found = await findRetried(db, caller.id, qrMacs, 'PROFILE_VIEW', config)
    return found && openRecord(keys, found)
  }

  const { shareable } = caller
  const mine = shareable ? undefined : await findMine()
  if (!shareable && !mine?.snapshot) throw invalid()
  const dataKey = shareable && dataKeyOf(keys, shareable)
  const snapshot = shareable ? openProfile(dataKey!, shareable.subject, shareable.profile) : mine!.snapshot!
  const { id, tracking_no } = shareable ?? mine!
  const callback_url = shareable ? caller.callback_url : mine!.callback_url

  const open = async () => {
    const viewing = { qrMacs, qrValue: qr_value, requestId, callback_url, snapshot: sealSnapshot(dataKey!, id, snapshot) }
    const { is_opened } = await withCurrentAccess(call, 'PROFILE_VIEW', (current) =>
      openViewed(db, { ...accessOf(current), ...viewing }, config.resultTtlSeconds),
    )
    if (is_opened) return
    // A retry of this partner's may have come first: it opened this very record.
    const opened = await findMine()
    if (!opened) throw invalid()
    // With the profile as it was a moment ago: what was recorded as given must be what is given.
    if (JSON.stringify(opened.snapshot) !== JSON.stringify(snapshot)) throw new Failure('unavailable', { retryAfterSeconds: 1 })
    await disclosing(service, opened, call).commit?.()
  }
  return {
    status: 200,
    headers: recordHeaders({ state: 'VIEWED' }, config),
    body: { status: 200, message: 'OK', data: toViewed({ id, tracking_no, qr_value, callback_url, snapshot }) },
    ...(mine ? disclosing(service, mine, call) : { commit: open }),
  }
}
