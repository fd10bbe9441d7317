import type { ResponseEvent } from '@tiwala/transport'
import { readEnvironment } from './environment.ts'

/**
 * Prints an attempt if the environment variable `TIWALA_LOG` asks for it: `info` prints each, `error` only those that
 * failed. Read for each line, so that a test or a debugger can switch it. To standard error, because the output of
 * a program may be data.
 */
export function logResponse(event: ResponseEvent): void {
  const level = readEnvironment('TIWALA_LOG')
  if (level !== 'info' && !(level === 'error' && event.errorCode)) return
  const { operation, method, path, attempt, status, errorCode, durationMs, requestId } = event
  const outcome = [status, errorCode].filter(Boolean).join(' ')
  console.error(
    `tiwala ${operation} (${method} ${path}, attempt ${attempt}): ${outcome}, ${durationMs} ms, ${requestId ?? 'no request ID'}`,
  )
}
