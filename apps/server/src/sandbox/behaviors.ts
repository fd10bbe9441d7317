import { storeAnswer } from '../authorizations/answer/answer.ts'
import { startPollLoop } from '../background/poll-loop.ts'
import { describeError } from '../describe-error.ts'
import type { Service } from '../operation.ts'
import { mintRequestId } from '../secrets/tokens.ts'
import { findPendingAnswers } from './sandboxes.sql.ts'

const CHECK_EVERY_MS = 300

/**
 * Accepts or declines requests for the synthetic citizens that answer by themselves, so that a partner's
 * tests can run unattended.
 */
export function playBehaviors(service: Service): { stop(): Promise<void> } {
  const loop = startPollLoop(CHECK_EVERY_MS, async () => {
    try {
      for (const { uniqid_hmac, tracking_no, answer } of await findPendingAnswers(service.db)) {
        const origin = { requestId: mintRequestId(), traceparent: null }
        await storeAnswer(service, [uniqid_hmac], tracking_no, answer, origin)
      }
    } catch (error) {
      service.log.warn(
        describeError(error),
        'sandbox citizens could not answer; the next attempt follows at once',
      )
    }
  })
  return { stop: loop.end }
}
