// Waits until an authorization record has ended, by inquiring again and again.
//
// Each inquiry asks the service to wait up to 25 seconds for a change (`Prefer: wait`). Its result is one of:
// - The record has ended: the wait resolves.
// - The record is pending: the next inquiry follows after `Retry-After`, by default after 2 seconds, and never
//   sooner than after 1 second.
// - A temporary refusal (`slow_down`, `rate_limited`, `unavailable`): the same pause as for a pending record.
// - A failure (no response, or another retryable error): the pauses are at most 1, 2, 4 and 8 seconds. Each
//   is at least half of that, at random, so that many clients do not come back at the same moment. The fifth
//   failure in a row rejects.
// - Any other refusal: the wait rejects at once.
//
// Example: pending, lost connection, pending, accepted. The one failure costs a pause of up to 1 second; the
// next response sets the count of failures back to 0.
//
// After `deadline` there are no more inquiries: the last known pending record is the outcome. If there was
// none, the wait rejects with the last error. `signal` ends an inquiry or a pause immediately.
import type { PartnerSchemas } from '@tiwala/contract/partner'
import { pause, TiwalaConnectionError, TiwalaError } from '@tiwala/transport'
import type { AnswerIn, AuthorizationAnswer, Inquire } from './authorization-answer.ts'
import { assertDate } from './check-arguments.ts'

export type WaitForAcceptanceOptions = {
  /** How long each inquiry may take, in milliseconds, in addition to the time that the service waits. */
  timeoutMs?: number | undefined
  /** Ends the wait immediately. The method then rejects with the reason of the signal. */
  signal?: AbortSignal | undefined
  /**
   * When to stop inquiring. The outcome is then `PENDING`. A request that is in flight is not aborted.
   * Without a deadline, the wait ends when the record ends. A record is pending for at most 300 seconds. As
   * long as the service refuses with `unavailable`, `rate_limited` or `slow_down`, the wait does not end.
   */
  deadline?: Date
}

/**
 * How the record ended, with everything that `inquire` returns. The field `state` discriminates the union.
 * `PENDING` means that the deadline passed first.
 */
export type AcceptanceOutcome = {
  [State in PartnerSchemas['AuthorizationState']]: AnswerIn<State> &
    (State extends 'ACCEPTED' | 'VIEWED' ? { profile: PartnerSchemas['Profile'] } : unknown)
}[PartnerSchemas['AuthorizationState']]

/** The longest time that the service waits during one inquiry. */
const MAX_WAIT_SECONDS = 25
/** The pause if the response has no `Retry-After`. */
const DEFAULT_PAUSE_SECONDS = 2
/** No `Retry-After`, of the service or of a proxy, makes the loop faster or a pause longer than this. */
const [MIN_PAUSE_SECONDS, MAX_PAUSE_SECONDS] = [1, 300]
/** The longest pauses after the failures in a row. The failure after the last pause is final. */
const FAILURE_PAUSES_SECONDS = [1, 2, 4, 8]
/** Temporary refusals. Their `Retry-After` says when to inquire again. */
const TEMPORARY = new Set<TiwalaError['code']>(['slow_down', 'rate_limited', 'unavailable'])

export async function waitForAcceptance(
  inquire: Inquire,
  trackingNo: string,
  { deadline, ...callOptions }: WaitForAcceptanceOptions = {},
): Promise<AcceptanceOutcome> {
  if (deadline) assertDate('deadline', deadline)
  const remainingMs = () => (deadline ? Math.max(0, deadline.getTime() - Date.now()) : Infinity)
  let failures = 0
  let pending: AcceptanceOutcome | undefined

  // Both functions return the pause before the next inquiry. `undefined` means that this outcome is final.
  function pauseAfterOutcome(outcome: AcceptanceOutcome): number | undefined {
    if (outcome.state !== 'PENDING') return undefined
    pending = outcome
    failures = 0
    return pauseOf(outcome)
  }
  function pauseAfterError(error: unknown): number | undefined {
    if (error instanceof TiwalaError && TEMPORARY.has(error.code)) {
      failures = 0
      return pauseOf(error)
    }
    const isOurs = error instanceof TiwalaError || error instanceof TiwalaConnectionError
    const longest = isOurs && error.isRetryable ? FAILURE_PAUSES_SECONDS[failures++] : undefined
    return longest && longest * (0.5 + Math.random() / 2)
  }

  for (;;) {
    const waitSeconds = Math.min(MAX_WAIT_SECONDS, Math.floor(remainingMs() / 1000))
    const inquiry = inquire(trackingNo, { ...callOptions, waitSeconds }).then(toOutcome)
    const pauseSeconds = await inquiry.then(pauseAfterOutcome, pauseAfterError)
    if (pauseSeconds === undefined) return inquiry
    await pause(Math.min(pauseSeconds * 1000, remainingMs()), callOptions.signal)
    if (remainingMs() === 0) return pending ?? inquiry
  }
}

const pauseOf = ({ retryAfterSeconds = DEFAULT_PAUSE_SECONDS }: { retryAfterSeconds: number | undefined }) =>
  Math.min(Math.max(retryAfterSeconds, MIN_PAUSE_SECONDS), MAX_PAUSE_SECONDS)

/** TypeScript does not see that only two states have a response, hence the assertion. */
function toOutcome(answer: AuthorizationAnswer<'inquire'>): AcceptanceOutcome {
  const { response } = answer.record
  return { ...answer, ...(response && { profile: response }) } as AcceptanceOutcome
}
