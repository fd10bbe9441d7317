import type { PartnerSchemas } from '@tiwala/contract/partner'
import { TiwalaError } from '@tiwala/transport'
import type { AuthorizationAnswer, PartnerClient } from './partner-client.ts'

export type WaitForAcceptanceOptions = {
  /** Ends everything at once: it rejects with the signal's reason. */
  signal?: AbortSignal
  /** When to stop asking; the outcome is then `PENDING`. A call under way is not cut off. Without one, a record is pending for 300 s at most. */
  deadline?: Date
}

type Ended = { record: PartnerSchemas['EndedAuthorization'] }

/** How a record ended, told apart by `state`, beside all that `inquire` tells. `PENDING`: the deadline came first. */
export type AcceptanceOutcome = Omit<AuthorizationAnswer<'inquire'>, 'state' | 'record'> &
  (
    | { state: 'ACCEPTED'; record: PartnerSchemas['AcceptedAuthorization']; profile: PartnerSchemas['Profile'] }
    | { state: 'VIEWED'; record: PartnerSchemas['ViewedAuthorization']; profile: PartnerSchemas['Profile'] }
    | ({ state: 'DECLINED' } & Ended)
    | ({ state: 'EXPIRED' } & Ended)
    | ({ state: 'CANCELLED' } & Ended)
    | ({ state: 'REVOKED' } & Ended)
    | { state: 'PENDING'; record: PartnerSchemas['PendingAuthorization'] }
  )

/** The longest that the service holds an inquiry. */
const LONGEST_WAIT_SECONDS = 25
/** Where nobody says how long. */
const PAUSE_SECONDS = 2
/** After each failure in a row; what fails then is given up. */
const PAUSES_AFTER_FAILURE_SECONDS = [1, 2, 4, 8]
/** Refusals that say themselves, in `Retry-After`, when they are over. */
const PASSING = new Set<TiwalaError['code']>(['slow_down', 'rate_limited', 'unavailable'])

export async function waitForAcceptance(
  inquire: PartnerClient['inquire'],
  trackingNo: string,
  { signal, deadline }: WaitForAcceptanceOptions = {},
): Promise<AcceptanceOutcome> {
  const leftMs = () => (deadline ? Math.max(0, deadline.getTime() - Date.now()) : Infinity)
  let failures = 0
  let pending: AcceptanceOutcome | undefined

  function afterAnswer(outcome: AcceptanceOutcome): number | undefined {
    if (outcome.state !== 'PENDING') return undefined
    pending = outcome
    failures = 0
    return outcome.retryAfterSeconds ?? PAUSE_SECONDS
  }
  function afterError(error: unknown): number | undefined {
    if (error instanceof TiwalaError && PASSING.has(error.code)) {
      failures = 0
      return error.retryAfterSeconds ?? PAUSE_SECONDS
    }
    const isFinal = error instanceof TiwalaError && error.status < 500
    return isFinal ? undefined : PAUSES_AFTER_FAILURE_SECONDS[failures++]
  }

  for (;;) {
    const waitSeconds = Math.min(LONGEST_WAIT_SECONDS, Math.floor(leftMs() / 1000))
    const asked = inquire(trackingNo, { waitSeconds, ...(signal && { signal }) }).then(toOutcome)
    const pauseSeconds = await asked.then(afterAnswer, afterError)
    if (pauseSeconds === undefined) return asked
    await pause(Math.min(pauseSeconds * 1000, leftMs()), signal)
    if (leftMs() === 0) return pending ?? asked
  }
}

/** The record and the state beside it belong together, which the types of `inquire` cannot say. */
function toOutcome(answer: AuthorizationAnswer<'inquire'>): AcceptanceOutcome {
  const { response } = answer.record
  return { ...answer, ...(response && { profile: response }) } as AcceptanceOutcome
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(end, ms)
    function end() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      if (signal?.aborted) reject(signal.reason)
      else resolve()
    }
    if (signal?.aborted) end()
    else signal?.addEventListener('abort', end)
  })
}
