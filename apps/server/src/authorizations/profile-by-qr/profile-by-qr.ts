import { isDeepStrictEqual } from 'node:util'
import { dataKeyOf, decryptProfile, encryptSnapshot } from '../../citizens/citizen-encryption.ts'
import { fieldFailure, Failure } from '../../failure.ts'
import type { Operation, Service } from '../../operation.ts'
import { withCurrentAccess } from '../../partners/access.ts'
import { accessOf, type AuthenticatedPartner } from '../../partners/partner.ts'
import { timedHmacs } from '../../secrets/timed-hmac.ts'
import { readQrValue } from '../../secrets/tokens.ts'
import { disclosureCommit } from '../disclosure-commit.ts'
import { findRecordOfRetry } from '../qr-presentation.sql.ts'
import { decryptRecord, recordHeaders, toViewed } from '../record.ts'
import { createViewedRecord, type Shareable, findShareable } from './profile-by-qr.sql.ts'

/** The profile changed after it was read. The partner tries again. */
const profileChanged = () => new Failure('unavailable', { retryAfterSeconds: 1 })

export const profileByQr: Operation<'profileByQr', AuthenticatedPartner, Shareable | undefined> = async (
  service,
  call,
) => {
  const { caller, loaded: shareable, query, requestId, traceparent } = call
  const { db, config, keys } = service
  const qr_value = readQrValue(query.qr_value)
  const invalid = () => fieldFailure('qr_value_invalid', 'qr_value')
  if (!qr_value) throw invalid()
  const hmacs = timedHmacs(keys, 'qr_value', qr_value)
  const findOwnRecord = async () => {
    const encrypted = await findRecordOfRetry(db, caller.id, hmacs, 'PROFILE_VIEW', config)
    return encrypted && decryptRecord(keys, encrypted)
  }

  const ownRecord = shareable ? undefined : await findOwnRecord()
  if (!shareable && !ownRecord?.snapshot) throw invalid()
  const dataKey = shareable && dataKeyOf(keys, shareable)
  const snapshot = shareable
    ? decryptProfile(dataKey!, shareable.subject, shareable.profile)
    : ownRecord!.snapshot!
  const { id, tracking_no } = shareable ?? ownRecord!
  const callback_url = shareable ? caller.callback_url : ownRecord!.callback_url
  const data = toViewed({ id, tracking_no, qr_value, callback_url, snapshot })

  const createRecord = async () => {
    const viewing = {
      qrHmacs: hmacs,
      qrValue: qr_value,
      requestId,
      traceparent,
      callback_url,
      trackingNo: tracking_no,
      profile: shareable!.profile,
      snapshot: encryptSnapshot(dataKey!, id, snapshot),
    }
    const { is_created, is_outdated } = await withCurrentAccess(call, 'PROFILE_VIEW', (current) =>
      createViewedRecord(db, { ...accessOf(current), ...viewing }, config.resultTtlSeconds),
    )
    if (is_created) return
    if (is_outdated) throw profileChanged()
    // A parallel retry of this partner may have created the record first.
    const created = await findOwnRecord()
    if (!created) throw invalid()
    // The recorded disclosure must be the profile that is sent.
    if (!isDeepStrictEqual(created.snapshot, snapshot)) throw profileChanged()
    // The other request may have read the value in another second, and the number of the record has its time.
    data.tracking_no = created.tracking_no
    await disclosureCommit(service, created, call).commit?.()
  }
  return {
    status: 200,
    headers: recordHeaders({ state: 'VIEWED' }, config),
    body: { status: 200, message: 'OK', data },
    ...(ownRecord ? disclosureCommit(service, ownRecord, call) : { commit: createRecord }),
  }
}

/**
 * The profile that the QR value would disclose now to the partner with this secret code. `createViewedRecord`
 * checks everything again.
 */
export async function preloadShareable(
  { db, keys }: Service,
  secretCode: string,
  query: Record<string, unknown>,
): Promise<Shareable | undefined> {
  const qr_value = typeof query['qr_value'] === 'string' && readQrValue(query['qr_value'])
  if (!qr_value) return undefined
  return findShareable(db, { hmacs: timedHmacs(keys, 'qr_value', qr_value), secretCode })
}
