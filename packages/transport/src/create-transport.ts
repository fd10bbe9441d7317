import type { BodyOf, PathOf, QueryOf, SuccessOf } from '@tiwala/contract/derive'
import { type Contract, createApi, type Route, type TransportOptions } from './create-api.ts'

/**
 * One part of the input: absent if the operation has no such part, optional if all fields of the part are
 * optional.
 */
type InputPart<Name extends string, T> = [T] extends [undefined]
  ? unknown
  : Record<never, never> extends T
    ? { [K in Name]?: T }
    : { [K in Name]: T }

type Input<Operation> = InputPart<'body', BodyOf<Operation>> &
  InputPart<'query', QueryOf<Operation>> &
  InputPart<'path', PathOf<Operation>> &
  CallOptions
type CallOptions = { headers?: Record<string, string>; signal?: AbortSignal | null }

/** Calls an operation by its operationId. It resolves and rejects as the calls of `createApi` do. */
export type Transport<Operations> = <Id extends keyof Operations>(
  id: Id,
  input: Input<Operations[Id]>,
) => Promise<{ status: number; body: SuccessOf<Operations[Id]>; headers: Headers }>

/** Any operation of any document, as openapi-typescript would generate it. */
type AnyOperation = {
  parameters: { path: object | undefined; query: object | undefined }
  requestBody?: { content: { 'application/json': unknown } }
  responses: { 200: { content: { 'application/json': unknown } } }
}
type AnyInput = CallOptions & { path?: object; query?: object; body?: unknown }

/** For commands and tests, which know the id of the operation, often only at run time. */
export function createTransport<Operations>(
  routes: Contract['routes'] & Record<keyof Operations, Route>,
  options: TransportOptions,
): Transport<Operations> {
  const api = createApi<Record<string, Record<Route['method'], AnyOperation>>>({ routes }, options)
  return async (id, { path, query, body, headers = {}, signal = null }: AnyInput) => {
    // A body that is a string is NDJSON, which the caller has already serialized.
    const ndjson = { bodySerializer: String, headers: { 'Content-Type': 'application/x-ndjson', ...headers } }
    const { data, response } = await api.request(routes[id].method, routes[id].path, {
      params: { path, query },
      body,
      signal,
      ...(typeof body === 'string' ? ndjson : { headers }),
    })
    return { status: response.status, body: data as never, headers: response.headers }
  }
}
