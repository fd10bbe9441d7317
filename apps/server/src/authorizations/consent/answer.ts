import type { Schemas } from '@tiwala/contract'
import { Failure } from '../../http/failure.ts'
import type { Service } from '../../operation.ts'
import { answerPending, findConsent } from './store.ts'
import { toConsentRequest } from './wire.ts'

export type Answer = 'ACCEPTED' | 'DECLINED'

/** The citizen's answer. Given again, the same answer changes nothing; any other finds the record ended. */
export async function answerAuthorization(
  { db, config }: Service,
  uniqid: string,
  trackingNo: string,
  answer: Answer,
  requestId: string,
): Promise<Schemas['ConsentRequest']> {
  await answerPending(db, uniqid, trackingNo, answer, config.resultTtlSeconds, requestId)
  const row = await findConsent(db, uniqid, trackingNo)
  if (!row) throw new Failure('tracking_no_not_found')
  if (row.state !== answer) throw new Failure('authorization_not_pending')
  return toConsentRequest(row)
}
