import { TiwalaConnectionError } from './tiwala-connection-error.ts'
import { TiwalaError } from './tiwala-error.ts'

/** The first pause is at most this long, each further pause at most twice as long as the one before. */
const FIRST_PAUSE_MS = 500
/** After a longer `Retry-After`, the caller decides. */
const MAX_RETRY_AFTER_SECONDS = 10

/**
 * The pause before a request is repeated, or `undefined` if the error is final. It is random (full jitter),
 * so that many clients do not come back at the same moment, and it is never shorter than `Retry-After`.
 */
export function pauseBeforeRetryMs(error: unknown, attempt: number): number | undefined {
  const jitterMs = Math.random() * FIRST_PAUSE_MS * 2 ** (attempt - 1)
  if (error instanceof TiwalaConnectionError) return error.isRetryable ? jitterMs : undefined
  // The pace of polling is the caller's.
  if (!(error instanceof TiwalaError) || !error.isRetryable || error.code === 'slow_down') return undefined
  const { retryAfterSeconds = 0 } = error
  return retryAfterSeconds <= MAX_RETRY_AFTER_SECONDS ? retryAfterSeconds * 1000 + jitterMs : undefined
}
/** Resolves after a time. Rejects with the reason of the signal as soon as it aborts. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
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
