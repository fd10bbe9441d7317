// What both clients share: the typed API of the partner document, and how a call is made and read.
import { type PartnerPaths, partnerResponses, partnerRoutes } from '@tiwala/contract/partner'
import { type Api, type CallLimits, callHook, createApi, type TransportOptions } from '@tiwala/transport'
import packageJson from '../package.json' with { type: 'json' }
import type { Call, RepeatableCallOptions, WithRequestId } from './client-options.ts'
import { logResponse } from './log.ts'

export const DEFAULT_MAX_RETRIES = 2
/** The same QR value gives the same record for 30 seconds. The rest is for a retry to reach the service. */
const SAME_RECORD_MS = 25_000
const CONTRACT = {
  routes: partnerRoutes,
  responses: partnerResponses,
  repeatableMs: { requestAuthorization: SAME_RECORD_MS, profileByQr: SAME_RECORD_MS },
}

export function createPartnerApi({ onResponse, ...options }: TransportOptions): Api<PartnerPaths> {
  return createApi<PartnerPaths>(CONTRACT, {
    ...options,
    // Identifies the client in the log of the service.
    headers: { ...options.headers, 'User-Agent': `tiwala-client/${packageJson.version}` },
    onResponse(event) {
      // Deno throws if the program may not read the environment.
      void callHook(logResponse, event)
      return onResponse?.(event)
    },
  })
}

/** The options of one call. The signal is a copy, because `fetch` leaves a listener on the signal of a request. */
export const initOf = ({ signal, timeoutMs, maxRetries }: RepeatableCallOptions = {}): CallLimits & {
  signal: AbortSignal
} => ({
  signal: AbortSignal.any(signal ? [signal] : []),
  ...(timeoutMs !== undefined && { timeoutMs }),
  ...(maxRetries !== undefined && { maxRetries }),
})

/** A body as form data, which the service accepts for the same fields as JSON. */
export function toFormData(fields: Record<string, string>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return form
}

/** A call of the API rejects unless it is a success, so `data` is always there. */
export type Success<Body> = { data?: Body; response: Response }

/** Sends a request, and reads its result. */
export function call<Body, T>(
  send: () => Promise<Success<Body>>,
  read: (success: Success<Body>) => T,
): Call<T> {
  const sent = send().then((success) => ({ data: read(success), response: success.response }))
  const result = sent.then(({ data }) => data)
  return Object.assign(result, {
    withResponse() {
      // The caller handles the rejection of the other promise, which has the same reason.
      result.catch(() => {})
      return sent
    },
  })
}

export function withRequestId<T extends object>({ data, response }: Success<{ data: T }>): WithRequestId<T> {
  // Not enumerable, so that the stored or compared result holds the data of the contract only.
  return Object.defineProperty(data!.data, 'requestId', {
    value: response.headers.get('x-request-id')!,
  }) as WithRequestId<T>
}
