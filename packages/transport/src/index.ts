// Calls any operation of any document by its operationId. Bundled into the client that partners install.
import type { BodyOf, PathOf, QueryOf, SuccessOf } from '@tiwala/contract/derive'
import createFetchClient from 'openapi-fetch'
import { TiwalaError } from './tiwala-error.ts'

export { TiwalaError } from './tiwala-error.ts'

export type TransportOptions = {
  baseUrl: string
  headers?: Record<string, string>
  /** Another `fetch` than the platform's, for proxies or instrumentation. */
  fetch?: (request: Request) => Promise<Response>
  /** How long one call may take, beyond what the service was asked to wait. Default: 15,000. */
  timeoutMs?: number
}

type Routes<Operations> = Record<keyof Operations, { method: string; path: string }>

/** A part of the input: absent where the operation has none, optional where all of it is. */
type Part<Name extends string, T> = [T] extends [undefined]
  ? unknown
  : Record<never, never> extends T
    ? { [K in Name]?: T }
    : { [K in Name]: T }

export type Input<Operation> = Part<'body', BodyOf<Operation>> &
  Part<'query', QueryOf<Operation>> &
  Part<'path', PathOf<Operation>> & {
    headers?: Record<string, string>
    signal?: AbortSignal | undefined
    /** How much longer than `timeoutMs` this call may take, since the service was asked to wait. */
    waitMs?: number
    /** Send the body as multipart form data instead of JSON. */
    asForm?: boolean
  }

export type Answer<Operation> = { status: number; body: SuccessOf<Operation>; headers: Headers }

/** Calls an operation: resolves with a success, rejects with a `TiwalaError` for anything else that was answered. */
export type Transport<Operations> = <Id extends keyof Operations>(id: Id, input: Input<Operations[Id]>) => Promise<Answer<Operations[Id]>>

type AnyInput = Pick<Input<unknown>, 'headers' | 'signal' | 'waitMs' | 'asForm'> & { body?: unknown; query?: unknown; path?: unknown }
type AnyRequest = (method: string, path: string, init: object) => Promise<{ data?: unknown; error?: unknown; response: Response }>

export function createTransport<Operations>(
  routes: Routes<Operations>,
  { baseUrl, headers = {}, fetch, timeoutMs = 15_000 }: TransportOptions,
): Transport<Operations> {
  // The service never redirects, and whoever does must not be handed our secrets: `fetch` would carry them along.
  const client = createFetchClient({
    baseUrl,
    redirect: 'manual',
    headers: { Accept: 'application/json', ...headers },
    ...(fetch && { fetch }),
  })
  const request = client.request as unknown as AnyRequest
  return async (id, input) => {
    const { body, query, path, headers: more = {}, signal, waitMs = 0, asForm } = input as AnyInput
    signal?.throwIfAborted()
    const limit = AbortSignal.timeout(timeoutMs + waitMs)
    const { data, error, response } = await request(routes[id].method, routes[id].path, {
      parseAs: 'text',
      params: { query, path },
      headers: more,
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
      ...(body !== undefined && { body }),
      ...(asForm && { bodySerializer: toFormData }),
      // Lines of JSON, which their caller has written.
      ...(typeof body === 'string' && { bodySerializer: () => body, headers: { 'Content-Type': 'application/x-ndjson', ...more } }),
    })
    const answered = response.ok ? parseJson(data) : undefined
    if (answered === undefined) throw TiwalaError.from(response, error)
    return { status: response.status, body: answered as never, headers: response.headers }
  }
}

/** `undefined`: not JSON, so something between us answered. */
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
