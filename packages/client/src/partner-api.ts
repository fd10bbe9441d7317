// What both clients share: the typed API of the partner document, and how a call is made and read.
import { type PartnerPaths, partnerResponses, partnerRoutes } from '@tiwala/contract/partner'
import { type Api, createApi, type TransportOptions } from '@tiwala/transport'
import packageJson from '../package.json' with { type: 'json' }
import type { CallOptions, WithRequestId } from './client-options.ts'

const CONTRACT = {
  routes: partnerRoutes,
  responses: partnerResponses,
  // The same QR value gives the same record for 30 seconds, so that a repeated request is safe.
  repeatable: ['requestAuthorization'],
}

export function createPartnerApi(options: TransportOptions): Api<PartnerPaths> {
  // Identifies the client in the log of the service.
  const headers = { ...options.headers, 'User-Agent': `tiwala-client/${packageJson.version}` }
  return createApi<PartnerPaths>(CONTRACT, { ...options, headers })
}

/** The signal of one call. It is a copy, because `fetch` leaves a listener on the signal of a request. */
export const signalOf = ({ signal }: CallOptions = {}): AbortSignal => AbortSignal.any(signal ? [signal] : [])

/** A body as form data, which the service accepts for the same fields as JSON. */
export function toFormData(fields: Record<string, string>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return form
}

/** A call of the API rejects unless it is a success, so `data` is always there. */
export type Success<Body> = { data?: Body; response: Response }

export function withRequestId<T extends object>({ data, response }: Success<{ data: T }>): WithRequestId<T> {
  // Not enumerable, so that the stored or compared result holds the data of the contract only.
  return Object.defineProperty(data!.data, 'requestId', {
    value: response.headers.get('x-request-id')!,
  }) as WithRequestId<T>
}
