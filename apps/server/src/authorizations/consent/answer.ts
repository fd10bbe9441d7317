import type { Schemas } from '@tiwala/contract'
import { dataKeyOf, decryptProfile, encryptSnapshot } from '../../citizens/citizen-encryption.ts'
import { Failure } from '../../failure.ts'
import type { Origin, Service } from '../../operation.ts'
import { answerPending, findConsent, findPendingProfile } from './store.ts'
import { toConsentRequest } from './wire.ts'

export type Answer = 'ACCEPTED' | 'DECLINED'

/**
 * Records the citizen's answer. The same answer sent again changes nothing; a different one is refused, since
 * the record has ended.
 */
export async function answerAuthorization(
  service: Service,
  uniqidHmacs: string[],
  trackingNo: string,
  answer: Answer,
  origin: Origin,
): Promise<Schemas['ConsentRequest']> {
  const { db, config } = service
  if (answer === 'DECLINED') await answerPending(db, uniqidHmacs, trackingNo, { answer }, origin)
  else {
    const snapshot = await snapshotFor(service, uniqidHmacs, trackingNo)
    const { resultTtlSeconds } = config
    if (snapshot)
      await answerPending(db, uniqidHmacs, trackingNo, { answer, snapshot, resultTtlSeconds }, origin)
  }
  const row = await findConsent(db, uniqidHmacs, trackingNo)
  if (!row) throw new Failure('tracking_no_not_found')
  // Still pending although the citizen answered in time: the citizen froze everything or blocked this
  // partner.
  if (row.state === 'PENDING') throw new Failure('refused_by_preferences')
  if (row.state !== answer) throw new Failure('authorization_not_pending')
  return toConsentRequest(row)
}

/** The current profile, encrypted for the record. `undefined`: the citizen has no such pending record. */
async function snapshotFor(
  { db, keys }: Service,
  uniqidHmacs: string[],
  trackingNo: string,
): Promise<string | undefined> {
  const found = await findPendingProfile(db, uniqidHmacs, trackingNo)
  if (!found) return undefined
  const dataKey = dataKeyOf(keys, found)
  return encryptSnapshot(dataKey, found.id, decryptProfile(dataKey, found.subject, found.profile))
}
