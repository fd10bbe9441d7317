import { TiwalaConnectionError } from './tiwala-connection-error.ts'
import { TiwalaError } from './tiwala-error.ts'

/** One attempt of a request. It has no value that you passed, so you can log it. */
export type RequestEvent = {
  /** The operationId of the document, for example `inquire`. */
  operation: string
  method: string
  /** The path as the document has it: names in braces stand for the values that you passed. */
  path: string
  /** 1 for the first attempt, 2 for the first retry. */
  attempt: number
}

/** The outcome of one attempt. It has no value of the response, so you can log it. */
export type ResponseEvent = RequestEvent & {
  /** The time from the request to the end of the response, in milliseconds. */
  durationMs: number
  /** The HTTP status. `undefined` if there is no response. */
  status: number | undefined
  /** The ID that the service gave to the request. `undefined` if there is no response of the service. */
  requestId: string | undefined
  /** The code of the error. `undefined` for a success. `aborted` means that your signal ended the request. */
  errorCode: TiwalaError['code'] | TiwalaConnectionError['code'] | 'aborted' | undefined
}

export type Hooks = {
  /** Runs before each attempt, also before each retry. The client ignores what it throws, and does not wait for it. */
  onRequest?: (event: RequestEvent) => void
  /** Runs after each attempt, also after one that failed. The client ignores what it throws, and does not wait for it. */
  onResponse?: (event: ResponseEvent) => void
}

/**
 * A hook must not lose the result of a single-use code, so its errors do not reach the caller. A rejection of an async
 * hook that nothing handles would end the process.
 */
export async function callHook<Event>(
  hook: ((event: Event) => unknown) | undefined,
  event: Event,
): Promise<void> {
  try {
    await hook?.(event)
  } catch {
    // Ignored, as documented.
  }
}

/** `outcome` is a success, an error of ours, or the reason of an aborted signal. */
export function responseEvent(request: RequestEvent, outcome: unknown, durationMs: number): ResponseEvent {
  const base = { ...request, durationMs, status: undefined, requestId: undefined, errorCode: undefined }
  if (outcome instanceof TiwalaConnectionError) return { ...base, errorCode: outcome.code }
  if (outcome instanceof TiwalaError) {
    const { status, requestId, code: errorCode } = outcome
    return { ...base, status, requestId, errorCode }
  }
  if (!(outcome instanceof Response)) return { ...base, errorCode: 'aborted' }
  return { ...base, status: outcome.status, requestId: outcome.headers.get('x-request-id') ?? undefined }
}
