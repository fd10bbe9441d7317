import { dataKeyOf, decryptProfile, encryptSnapshot } from '../../citizens/citizen-encryption.ts'
import { Failure, fieldFailure } from '../../failure.ts'
import type { Operation, Service } from '../../operation.ts'
import { accessOf } from '../../partners/partner.ts'
import { withCurrentAccess } from '../../partners/with-current-access.ts'
import { isQrValue } from '../../secrets/tokens.ts'
import { recordingDisclosure } from '../record-disclosure.ts'
import { decryptRecord, recordHeaders, toViewed } from '../record.ts'
import { findRetried, findShareable, openViewed, type Shareable } from './store.ts'

export const profileByQr: Operation<'profileByQr'> = async (service, call) => {
  const { caller, loaded: shareable, query, requestId } = call
  const { db, config, keys } = service
  const { qr_value } = query
  const invalid = () => fieldFailure('qr_value_invalid', 'qr_value')
  if (!isQrValue(qr_value)) throw invalid()
  const qrHmacs = keys.hmacs('qr_value', qr_value)
  const findMine = async () => {
    const found = await findRetried(db, caller.id, qrHmacs, 'PROFILE_VIEW', config)
    return found && decryptRecord(keys, found)
  }

  const mine = shareable ? undefined : await findMine()
  if (!shareable && !mine?.snapshot) throw invalid()
  const dataKey = shareable && dataKeyOf(keys, shareable)
  const snapshot = shareable ? decryptProfile(dataKey!, shareable.subject, shareable.profile) : mine!.snapshot!
  const { id, tracking_no } = shareable ?? mine!
  const callback_url = shareable ? caller.callback_url : mine!.callback_url

  const open = async () => {
    const viewing = { qrHmacs, qrValue: qr_value, requestId, callback_url, snapshot: encryptSnapshot(dataKey!, id, snapshot) }
    const { is_opened } = await withCurrentAccess(call, 'PROFILE_VIEW', (current) =>
      openViewed(db, { ...accessOf(current), ...viewing }, config.resultTtlSeconds),
    )
    if (is_opened) return
    // A retry of this partner's may have come first: it opened this very record.
    const opened = await findMine()
    if (!opened) throw invalid()
    // With the profile as it was a moment ago: what was recorded as given must be what is given.
    if (JSON.stringify(opened.snapshot) !== JSON.stringify(snapshot)) throw new Failure('unavailable', { retryAfterSeconds: 1 })
    await recordingDisclosure(service, opened, call).commit?.()
  }
  return {
    status: 200,
    headers: recordHeaders({ state: 'VIEWED' }, config),
    body: { status: 200, message: 'OK', data: toViewed({ id, tracking_no, qr_value, callback_url, snapshot }) },
    ...(mine ? recordingDisclosure(service, mine, call) : { commit: open }),
  }
}

/** What the QR value would disclose now to the partner with this secret code; the statement that uses it up checks everything again. */
export async function preloadShareable(
  { db, keys }: Service,
  secretCode: string,
  { qr_value }: Record<string, unknown>,
): Promise<Shareable | undefined> {
  if (typeof qr_value !== 'string' || !isQrValue(qr_value)) return undefined
  return findShareable(db, { hmacs: keys.hmacs('qr_value', qr_value), secretCode })
}
