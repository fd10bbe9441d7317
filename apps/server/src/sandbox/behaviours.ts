import { findPendingOf } from '../authorizations/answer/answer.sql.ts'
import { storeAnswer } from '../authorizations/answer/answer.ts'
import { startPollLoop } from '../background/poll-loop.ts'
import { describeError } from '../describe-error.ts'
import type { Service } from '../operation.ts'
import { mintRequestId } from '../secrets/tokens.ts'
import type { Behaviour } from './bootstrap-format.ts'
import { sandboxCitizens } from './citizens.ts'
import { findPendingAnswers } from './private/store.ts'

const CHECK_EVERY_MS = 300
const ANSWERS = { accepts: 'ACCEPTED', declines: 'DECLINED' } as const satisfies Partial<
  Record<Behaviour, string>
>

/**
 * Accepts or declines requests for the synthetic citizens that answer by themselves, so that a partner's
 * tests can run unattended.
 */
export function playBehaviours(service: Service): { stop(): Promise<void> } {
  const answers = new Map(
    sandboxCitizens(service.config.publicUrl).flatMap(({ profile, behaviour }) =>
      behaviour in ANSWERS ? [[profile.uniqid, ANSWERS[behaviour as keyof typeof ANSWERS]]] : [],
    ),
  )
  const loop = startPollLoop(CHECK_EVERY_MS, () =>
    answerForCitizens(service, answers).catch((error: unknown) =>
      service.log.warn(
        describeError(error),
        'sandbox citizens could not answer; the next attempt follows at once',
      ),
    ),
  )
  return { stop: loop.end }
}

async function answerForCitizens(
  service: Service,
  answers: Map<string, 'ACCEPTED' | 'DECLINED'>,
): Promise<void> {
  const { db, keys } = service
  const answerOf = new Map(
    [...answers].flatMap(([uniqid, answer]) => keys.hmacs('uniqid', uniqid).map((mac) => [mac, answer])),
  )
  const pending = [
    ...(await findPendingOf(db, [...answerOf.keys()])).map((record) => ({
      ...record,
      answer: answerOf.get(record.uniqid_mac)!,
    })),
    ...(await findPendingAnswers(db)).map((record) => ({ ...record, answer: ANSWERS[record.behaviour] })),
  ]
  for (const { uniqid_mac, tracking_no, answer } of pending) {
    const origin = { requestId: mintRequestId(), traceparent: null }
    await storeAnswer(service, [uniqid_mac], tracking_no, answer, origin)
  }
}
