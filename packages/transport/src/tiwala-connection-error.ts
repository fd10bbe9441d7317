/**
 * There is no response: the connection failed, or the response did not arrive in time. The service may have
 * processed the request. `cause` is the error of the platform.
 */
export class TiwalaConnectionError extends Error {
  override readonly name = 'TiwalaConnectionError'
  /** `timeout`: no complete response within `timeoutMs`. `connection_failed`: any other reason. */
  readonly code: 'timeout' | 'connection_failed'
  /**
   * Whether the same call is safe to repeat. `false` for a single-use code or token: let the citizen sign in
   * again. `false` for a QR value 25 seconds after the call: ask the citizen for a new one.
   */
  readonly isRetryable: boolean
  /** The operationId of the request, for example `inquire`. */
  readonly operation: string | undefined

  constructor(
    code: TiwalaConnectionError['code'],
    baseUrl: string,
    isRepeatable: boolean,
    cause: unknown,
    operation?: string,
  ) {
    const { origin } = new URL(baseUrl)
    super(
      code === 'timeout'
        ? `${origin} did not respond in time (${code})`
        : `The connection to ${origin} failed${reasonOf(cause)} (${code})`,
      { cause },
    )
    this.code = code
    this.isRetryable = isRepeatable
    this.operation = operation
  }
}

/** Names the system error, for example `ECONNREFUSED`. The message of the cause may hold a header. */
function reasonOf(cause: unknown): string {
  const code = ((cause as Error | undefined)?.cause as { code?: unknown } | undefined)?.code
  return typeof code === 'string' ? `: ${code}` : ''
}
