import type { Schemas } from '@tiwala/contract'
import type { RequestContext } from '../../audit/insert-audit.sql.ts'
import { dataKeyOf, encryptSnapshot, decryptProfile } from '../../citizens/citizen-encryption.ts'
import { Failure } from '../../failure.ts'
import { secondsToAnswer } from '../../metrics/registry.ts'
import type { Service, Call } from '../../operation.ts'
import { findConsent } from '../consent.sql.ts'
import { toConsentRequest } from '../consent.ts'
import { answerPending, findPendingProfile } from './answer.sql.ts'

export type Answer = 'ACCEPTED' | 'DECLINED'

/**
 * Records the citizen's answer. The same answer sent again changes nothing; a different one is refused, since
 * the record has ended.
 */
export async function answerAuthorization(
  service: Service,
  { caller, path, requestId, traceparent }: Call<'acceptAuthorization' | 'declineAuthorization'>,
  answer: Answer,
): Promise<{ status: 200; body: Schemas['ConsentRequest'] }> {
  const [{ uniqidHmacs }, trackingNo] = [caller, path.tracking_no]
  const seconds = await storeAnswer(service, uniqidHmacs, trackingNo, answer, { requestId, traceparent })
  if (seconds !== undefined) secondsToAnswer.observe({ outcome: answer }, seconds)
  const row = await findConsent(service.db, uniqidHmacs, trackingNo)
  if (!row) throw new Failure('tracking_no_not_found')
  // Still pending although the citizen answered in time: the citizen froze everything or blocked this
  // partner.
  if (row.state === 'PENDING') throw new Failure('refused_by_preferences')
  if (row.state !== answer) throw new Failure('authorization_not_pending')
  return { status: 200, body: toConsentRequest(row) }
}

/** Stores the answer; returns how many seconds after the request. `undefined`: nothing has changed. */
export async function storeAnswer(
  service: Service,
  uniqidHmacs: string[],
  trackingNo: string,
  answer: Answer,
  origin: RequestContext,
): Promise<number | undefined> {
  const { db, config } = service
  if (answer === 'DECLINED') return answerPending(db, uniqidHmacs, trackingNo, { answer }, origin)
  const snapshot = await snapshotFor(service, uniqidHmacs, trackingNo)
  if (!snapshot) return undefined
  const { resultTtlSeconds } = config
  return answerPending(db, uniqidHmacs, trackingNo, { answer, snapshot, resultTtlSeconds }, origin)
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
