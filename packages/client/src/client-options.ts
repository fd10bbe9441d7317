import type { TransportOptions } from '@tiwala/transport'
import packageJson from '../package.json' with { type: 'json' }

/** The options that both clients have. */
export type ClientOptions = Omit<TransportOptions, 'headers' | 'baseUrl' | 'maxRetries'> & {
  /**
   * How often a method that is safe to repeat is repeated after a lost connection, a time-out, a 5xx response
   * or `rate_limited`. Default: 2. Single-use codes and tokens are never sent twice.
   */
  maxRetries?: number
}

export type CallOptions = {
  /** Aborts the request. The method then rejects with the reason of the signal. */
  signal?: AbortSignal
}

/** A result, with the ID of its request. `JSON.stringify` and spread leave the ID out. */
export type WithRequestId<T> = T & {
  /** The ID of this request. Quote it to the administrator if you have a question about the response. */
  readonly requestId: string
}

export const DEFAULT_MAX_RETRIES = 2

/** Identifies the client in the log of the service. */
export const USER_AGENT: string = `tiwala-client/${packageJson.version}`

export function withRequestId<T extends object>(data: T, headers: Headers): WithRequestId<T> {
  // Not enumerable, so that the stored or compared result holds the data of the contract only.
  return Object.defineProperty(data, 'requestId', {
    value: headers.get('x-request-id')!,
  }) as WithRequestId<T>
}
