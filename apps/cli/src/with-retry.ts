import { setTimeout as sleep } from 'node:timers/promises'
import { TiwalaError } from '@tiwala/transport'
import type { OperatorTransport } from './connect.ts'
import { type Io, printMessage } from './io.ts'

const MOST_WAITED_SECONDS = 600

/** Asks again, where the service says when; what is long need not fail for a busy moment. */
export function withRetry(
  call: OperatorTransport,
  io: Pick<Io, 'stderr'>,
  wait: (ms: number) => Promise<unknown> = sleep,
): OperatorTransport {
  return async (id, input) => {
    for (let waited = 0; ;) {
      try {
        return await call(id, input)
      } catch (error) {
        const isBusy = error instanceof TiwalaError && (error.status === 429 || error.status === 503)
        const seconds = isBusy ? error.retryAfterSeconds : undefined
        if (seconds === undefined || waited + seconds > MOST_WAITED_SECONDS) throw error
        printMessage(io, `The service asks to wait ${seconds} s.`)
        await wait(seconds * 1000)
        waited += seconds
      }
    }
  }
}
