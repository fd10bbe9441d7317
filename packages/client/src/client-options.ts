import type { TransportOptions } from '@tiwala/transport'

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
  signal?: AbortSignal | undefined
  /** How long one attempt of this call may take, in milliseconds. Default: that of the client. */
  timeoutMs?: number | undefined
}

export type RepeatableCallOptions = CallOptions & {
  /** How often this call is repeated after a temporary error. Default: that of the client. */
  maxRetries?: number | undefined
}

/** The result of a method. `withResponse` gives the HTTP response beside it. */
export type Call<T> = Promise<T> & {
  /** Resolves with the result, and with the status and the headers of its response. Sends nothing more. */
  withResponse(): Promise<{ data: T; response: Pick<Response, 'status' | 'headers'> }>
}

/** A result, with the ID of its request. `JSON.stringify` and spread leave the ID out. */
export type WithRequestId<T> = T & {
  /** The ID of this request. Quote it to the administrator if you have a question about the response. */
  readonly requestId: string
}
