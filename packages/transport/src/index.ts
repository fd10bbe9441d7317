// Calls an operation of any document by its operationId. The client that partners install bundles this code.
import type { BodyOf, PathOf, QueryOf, SuccessOf } from '@tiwala/contract/derive'
import createFetchClient from 'openapi-fetch'
import { TiwalaError } from './tiwala-error.ts'

export { TiwalaError } from './tiwala-error.ts'

export type TransportOptions = {
  /** The address of the API. A slash at its end makes no difference. */
  baseUrl: string
  /** Headers that every request carries. */
  headers?: Record<string, string>
  /** Replaces the `fetch` of the platform, for a proxy or for instrumentation. */
  fetch?: (request: Request) => Promise<Response>
  /**
   * How long one request may take, in milliseconds, in addition to the time that you ask the service to wait.
   * Default: 15,000. A request that takes longer rejects with a `TimeoutError`.
   */
  timeoutMs?: number
}

type Routes<Operations> = Record<keyof Operations, { method: string; path: string }>

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
  }

export type OperationResponse<Operation> = { status: number; body: SuccessOf<Operation>; headers: Headers }

/**
 * Calls an operation. It resolves if the response is a success, and rejects with a `TiwalaError` for any
 * other response. It rejects with the error of `fetch` if there is no response.
 */
export type Transport<Operations> = <Id extends keyof Operations>(
  id: Id,
  input: Input<Operations[Id]>,
) => Promise<OperationResponse<Operations[Id]>>

type AnyInput = Pick<Input<unknown>, 'headers' | 'signal' | 'waitMs' | 'asForm'> & {
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
  { baseUrl, headers = {}, fetch, timeoutMs = 15_000 }: TransportOptions,
): Transport<Operations> {
  // The service never redirects. `fetch` would send our secrets to the target of another server's redirect.
  const client = createFetchClient({
    baseUrl,
    redirect: 'manual',
    headers: { Accept: 'application/json', ...headers },
    ...(fetch && { fetch }),
  })
  const sendRequest = client.request as unknown as SendRequest
  return async (id, input) => {
    const { body, query, path, headers: inputHeaders = {}, signal, waitMs = 0, asForm } = input as AnyInput
    signal?.throwIfAborted()
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
    })
    const responseBody = response.ok ? parseJson(data) : undefined
    if (responseBody === undefined) throw TiwalaError.from(response, error)
    return { status: response.status, body: responseBody as never, headers: response.headers }
  }
}

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
