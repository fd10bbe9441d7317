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
  if (answer === 'ACCEPTED') return storeAcceptance(service, uniqidHmacs, trackingNo, origin)
  return answerPending(service.db, uniqidHmacs, trackingNo, { answer }, origin)
}

/**
 * Stores the acceptance with a copy of the profile. If the profile changed after it was read, nothing was stored, and it is
 * read again. `previous`: the encrypted profile as it was read before.
 */
async function storeAcceptance(
  service: Service,
  uniqidHmacs: string[],
  trackingNo: string,
  origin: RequestContext,
  previous?: string,
): Promise<number | undefined> {
  const { db, keys, config } = service
  const found = await findPendingProfile(db, uniqidHmacs, trackingNo)
  if (!found || found.profile === previous) return undefined
  const { id, subject, profile } = found
  const dataKey = dataKeyOf(keys, found)
  const snapshot = encryptSnapshot(dataKey, id, decryptProfile(dataKey, subject, profile))
  const { resultTtlSeconds } = config
  const decision = { answer: 'ACCEPTED', profile, snapshot, resultTtlSeconds } as const
  const seconds = await answerPending(db, uniqidHmacs, trackingNo, decision, origin)
  return seconds ?? storeAcceptance(service, uniqidHmacs, trackingNo, origin, profile)
}
