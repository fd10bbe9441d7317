import { setTimeout as sleep } from 'node:timers/promises'
import { TiwalaError } from '@tiwala/transport'
import type { OperatorTransport } from './connect.ts'
import { type Io, printMessage } from './io.ts'

const MAX_WAIT_SECONDS = 600

type Wait = (ms: number) => Promise<unknown>

/**
 * Repeats a request after a 429 or 503 response, so that a long command survives a busy moment. It waits for
 * `Retry-After` before each repetition, and for at most 600 seconds in total per request.
 */
export function withRetry(
  call: OperatorTransport,
  io: Pick<Io, 'stderr'>,
  wait: Wait = sleep,
): OperatorTransport {
  return async (id, input) => {
    for (let waitedSeconds = 0; ;) {
      try {
        return await call(id, input)
      } catch (error) {
        const isBusy = error instanceof TiwalaError && (error.status === 429 || error.status === 503)
        const seconds = isBusy ? error.retryAfterSeconds : undefined
        if (seconds === undefined || waitedSeconds + seconds > MAX_WAIT_SECONDS) throw error
        printMessage(io, `The service is busy. Retrying in ${seconds} s.`)
        await wait(seconds * 1000)
        waitedSeconds += seconds
      }
    }
  }
}
