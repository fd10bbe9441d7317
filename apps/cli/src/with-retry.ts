import { setTimeout as sleep } from 'node:timers/promises'
import { TiwalaConnectionError, TiwalaError } from '@tiwala/transport'
import type { Input } from './command-context.ts'
import type { OperatorTransport } from './connect.ts'
import { type Io, printMessage } from './io.ts'

const MAX_WAIT_SECONDS = 600
/** Also after `Retry-After: 0` or a past date, which would repeat the request without a pause and without an end. */
const MIN_WAIT_SECONDS = 1
const RECONNECT_SECONDS = 1
const MAX_RECONNECTS = 2

type Wait = (ms: number) => Promise<unknown>

/**
 * Repeats a request after a 429 or 503 response, so that a long command survives a busy moment. It waits for
 * `Retry-After`, at least a second, before each repetition, and for at most 600 seconds in total per request. A
 * request with an `Idempotency-Key` is also sent again if there was no response.
 */
export function withRetry(
  call: OperatorTransport,
  io: Pick<Io, 'stderr'>,
  wait: Wait = sleep,
): OperatorTransport {
  return async (id, input) => {
    const hasKey = (input as Pick<Input, 'headers'>).headers?.['Idempotency-Key'] !== undefined
    for (let waitedSeconds = 0, reconnects = 0; ;) {
      try {
        return await call(id, input)
      } catch (error) {
        if (hasKey && error instanceof TiwalaConnectionError && reconnects++ < MAX_RECONNECTS) {
          printMessage(io, 'There was no response. Sending the same request again.')
          await wait(RECONNECT_SECONDS * 1000)
          continue
        }
        const isBusy = error instanceof TiwalaError && (error.status === 429 || error.status === 503)
        const retryAfterSeconds = isBusy ? error.retryAfterSeconds : undefined
        const seconds = Math.max(retryAfterSeconds ?? Infinity, MIN_WAIT_SECONDS)
        if (waitedSeconds + seconds > MAX_WAIT_SECONDS) throw error
        printMessage(io, `The service is busy. Retrying in ${seconds} s.`)
        await wait(seconds * 1000)
        waitedSeconds += seconds
      }
    }
  }
}
