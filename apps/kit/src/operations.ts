// Where the operations of all documents are on a server, and requests without a client. It is not in
// packages/, because no partner and no build imports it, and uses no code of the server, which it tests.
import { type DocumentName, type OperationId, routes } from '@tiwala/contract'
import citizenApp from '@tiwala/contract/citizen-app.json' with { type: 'json' }
import operator from '@tiwala/contract/operator.json' with { type: 'json' }
import partner from '@tiwala/contract/partner.json' with { type: 'json' }
import workbench from '@tiwala/contract/workbench.json' with { type: 'json' }

type Route = { method: string; path: string }
export type RequestOptions = RequestInit & {
  query?: Record<string, string> | string
  path?: Record<string, string>
  json?: unknown
}

const documents = { partner, 'citizen-app': citizenApp, operator, workbench }

export const OPERATION_IDS = Object.values(routes).flatMap((table) => Object.keys(table)) as OperationId[]

export const documentOf = (id: OperationId): DocumentName =>
  (Object.keys(routes) as DocumentName[]).find((name) => id in routes[name])!

/** The method and the path of an operation in its document. */
export const routeOf = (id: OperationId): Route => (routes[documentOf(id)] as Record<string, Route>)[id]!

/** The base path of the operations of a document. */
export const basePathOf = (document: DocumentName): string =>
  new URL(documents[document].servers[0]!.url).pathname.replace(/\/$/, '')

/** The method and the path of an operation on the server. */
export function locate(id: OperationId): Route {
  const { method, path } = routeOf(id)
  return { method: method.toUpperCase(), path: basePathOf(documentOf(id)) + path }
}

/**
 * Sends a request without a client: only the method and the path come from the document. A parameter of the
 * path that is not given is `unknown`.
 */
export function send(
  origin: string,
  id: OperationId,
  { query = '', path = {}, json, headers, ...init }: RequestOptions = {},
): Promise<Response> {
  const route = locate(id)
  const filled = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(path[name] ?? 'unknown'),
  )
  const queryText = typeof query === 'string' ? query : String(new URLSearchParams(query))
  return fetch(`${origin}${filled}${queryText && `?${queryText}`}`, {
    method: route.method,
    ...init,
    ...(headers && { headers }),
    ...(json !== undefined && {
      body: JSON.stringify(json),
      headers: { 'Content-Type': 'application/json', ...(headers as Record<string, string>) },
    }),
  })
}
