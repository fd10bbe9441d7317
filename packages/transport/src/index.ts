// Calls an operation of any document by its operationId. The client that partners install bundles this code.
import type { BodyOf, PathOf, QueryOf, SuccessOf } from '@tiwala/contract/derive'
import type { ResponseShape } from '@tiwala/contract/partner'
import createFetchClient from 'openapi-fetch'
import { callHook, type Hooks, responseEvent } from './events.ts'
import { pause } from './pause.ts'
import { hasShape } from './response-shape.ts'
import { pauseBeforeRetryMs } from './retry.ts'
import { TiwalaConnectionError } from './tiwala-connection-error.ts'
import { TiwalaError } from './tiwala-error.ts'

export type { Hooks, RequestEvent, ResponseEvent } from './events.ts'
export { pause } from './pause.ts'
export { retryAfterSecondsOf } from './retry-after.ts'
export { TiwalaConnectionError } from './tiwala-connection-error.ts'
export { TiwalaError } from './tiwala-error.ts'

export type TransportOptions = Hooks & {
  /** The address of the API. Slashes at its end make no difference. */
  baseUrl: string
  /** Headers that every request carries. */
  headers?: Record<string, string>
  /** Replaces the `fetch` of the platform, for a proxy or for instrumentation. */
  fetch?: (request: Request) => Promise<Response>
  /**
   * How long one attempt may take, in milliseconds, in addition to the time that you ask the service to wait.
   * Default: 15,000. A request that takes longer rejects with a `TiwalaConnectionError`.
   */
  timeoutMs?: number
  /** How often a request that is safe to repeat is repeated after a temporary error. Default: 0. */
  maxRetries?: number
}

type Routes<Operations> = Record<keyof Operations, { method: string; path: string }>

/** What a success must have. The responses of an operation without an entry are not checked. */
type ResponseShapes<Operations> = { readonly [Id in keyof Operations]?: ResponseShape }

/**
 * One part of the input: absent if the operation has no such part, optional if all fields of the part are
 * optional.
 */
type InputPart<Name extends string, T> = [T] extends [undefined]
  ? unknown
  : Record<never, never> extends T
    ? { [K in Name]?: T }
    : { [K in Name]: T }

export type Input<Operation> = InputPart<'body', BodyOf<Operation>> &
  InputPart<'query', QueryOf<Operation>> &
  InputPart<'path', PathOf<Operation>> & {
    headers?: Record<string, string>
    signal?: AbortSignal | undefined
    /** How long the request asks the service to wait, in milliseconds. This time is added to `timeoutMs`. */
    waitMs?: number
    /** Whether to send the body as multipart form data instead of JSON. */
    asForm?: boolean
    /** Whether the request is safe to repeat. Default: as HTTP defines it, so `false` for POST only. */
    isRepeatable?: boolean
  }

export type OperationResponse<Operation> = { status: number; body: SuccessOf<Operation>; headers: Headers }

/**
 * Calls an operation. It resolves if the response is a success. It rejects with a `TiwalaError` for any other
 * response, with a `TiwalaConnectionError` if there is no response, and with the reason of the signal.
 */
export type Transport<Operations> = <Id extends keyof Operations>(
  id: Id,
  input: Input<Operations[Id]>,
) => Promise<OperationResponse<Operations[Id]>>

type AnyInput = Pick<Input<unknown>, 'headers' | 'signal' | 'waitMs' | 'asForm' | 'isRepeatable'> & {
  body?: unknown
  query?: unknown
  path?: unknown
}
type SendRequest = (
  method: string,
  path: string,
  init: object,
) => Promise<{ data?: unknown; error?: unknown; response: Response }>

export function createTransport<Operations>(
  routes: Routes<Operations>,
  {
    baseUrl,
    headers = {},
    fetch,
    timeoutMs = 15_000,
    maxRetries = 0,
    onRequest,
    onResponse,
  }: TransportOptions,
  shapes: ResponseShapes<Operations> = {},
): Transport<Operations> {
  // The service never redirects. `fetch` would send our secrets to the target of another server's redirect.
  const client = createFetchClient({
    baseUrl: baseUrl.replace(/\/+$/, ''),
    redirect: 'manual',
    headers: { Accept: 'application/json', ...headers },
    ...(fetch && { fetch }),
  })
  const sendRequest = client.request as unknown as SendRequest

  /** Sends the request once. Rejects with an error of ours, or with the reason of the signal. */
  async function send(id: keyof Operations, input: AnyInput, isRepeatable: boolean) {
    const { body, query, path, headers: inputHeaders = {}, signal, waitMs = 0, asForm } = input
    const timeout = AbortSignal.timeout(timeoutMs + waitMs)
    const { data, error, response } = await sendRequest(routes[id].method, routes[id].path, {
      parseAs: 'text',
      params: { query, path },
      headers: inputHeaders,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      ...(body !== undefined && { body }),
      ...(asForm && { bodySerializer: toFormData }),
      // A body that is a string is NDJSON, which the caller has already serialized.
      ...(typeof body === 'string' && {
        bodySerializer: () => body,
        headers: { 'Content-Type': 'application/x-ndjson', ...inputHeaders },
      }),
    }).catch((cause: unknown) => {
      signal?.throwIfAborted()
      const code = timeout.aborted ? 'timeout' : 'connection_failed'
      throw new TiwalaConnectionError(code, baseUrl, isRepeatable, cause)
    })
    const responseBody = response.ok ? parseJson(data) : undefined
    if (responseBody === undefined || !isDocumented(response, responseBody, shapes[id]))
      throw new TiwalaError(response, error, isRepeatable)
    return { status: response.status, body: responseBody as never, headers: response.headers }
  }

  async function sendBetweenHooks(
    id: keyof Operations,
    input: AnyInput,
    isRepeatable: boolean,
    attempt: number,
  ) {
    const { method, path } = routes[id]
    const event = { operation: String(id), method: method.toUpperCase(), path, attempt }
    const startedAtMs = performance.now()
    const report = (outcome: unknown) =>
      callHook(onResponse, responseEvent(event, outcome, Math.round(performance.now() - startedAtMs)))
    callHook(onRequest, event)
    const sending = send(id, input, isRepeatable)
    await sending.then(report, report)
    return sending
  }

  return async (id, input: AnyInput) => {
    const isRepeatable = input.isRepeatable ?? routes[id].method !== 'post'
    for (let attempt = 1; ; attempt++) {
      input.signal?.throwIfAborted()
      try {
        return await sendBetweenHooks(id, input, isRepeatable, attempt)
      } catch (error) {
        const canRetry = isRepeatable && attempt <= maxRetries
        const pauseMs = canRetry ? pauseBeforeRetryMs(error, attempt) : undefined
        if (pauseMs === undefined) throw error
        await pause(pauseMs, input.signal)
      }
    }
  }
}

/** The types hold only if the response has the fields of the contract and the headers of the service. */
const isDocumented = ({ headers }: Response, body: unknown, shape: ResponseShape | undefined): boolean =>
  !shape || (shape.headers.every((name) => headers.has(name)) && hasShape(body, shape.body))

/** Returns `undefined` if the text is not JSON. Such a response is not from the service, but from a proxy. */
function parseJson(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return undefined
  }
}

function toFormData(fields: Record<string, string>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return form
}
