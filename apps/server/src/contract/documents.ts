import type { DocumentName, OperatorOperations } from '@tiwala/contract'
import citizenApp from '@tiwala/contract/citizen-app.json' with { type: 'json' }
import operator from '@tiwala/contract/operator.json' with { type: 'json' }
import partner from '@tiwala/contract/partner.json' with { type: 'json' }
import workbench from '@tiwala/contract/workbench.json' with { type: 'json' }

export type Document = typeof partner | typeof citizenApp | typeof operator | typeof workbench

export const documents: Record<DocumentName, Document> = {
  partner,
  'citizen-app': citizenApp,
  operator,
  workbench,
}

/** What a token of an administrator can allow. */
export const OPERATOR_SCOPES = Object.keys(
  operator.components.securitySchemes.operatorToken.flows.clientCredentials.scopes,
)

/** What a sign-in to the console asks for by default. */
export const CONSOLE_SCOPE = ['openid', 'email', ...OPERATOR_SCOPES].join(' ')
/** What a sign-in to the workbench asks for. */
export const WORKBENCH_SCOPE = 'openid email'

/** The scopes of an operation of administrators. */
export function operatorScopesOf(id: keyof OperatorOperations): string[] {
  const items = Object.values<
    Record<string, { operationId?: string; security?: { operatorToken?: string[] }[] }>
  >(operator.paths)
  const operation = items.flatMap((item) => Object.values(item)).find(({ operationId }) => operationId === id)
  return operation!.security![0]!.operatorToken!
}

/** The base path of a document's operations on this server. */
export const basePathOf = (name: DocumentName) =>
  new URL(documents[name].servers[0]!.url).pathname.replace(/\/$/, '')

/** The paths on this server whose response is a stream of events. */
export const streamPaths = new Set(
  (Object.keys(documents) as DocumentName[]).flatMap((name) =>
    Object.entries(documents[name].paths).flatMap(([path, item]) =>
      JSON.stringify(item).includes('"text/event-stream"') ? [basePathOf(name) + path] : [],
    ),
  ),
)

type LongBody = { type: string; maxBytes: number }

/** Bodies that may be longer than 16 KiB (`x-max-bytes`), by method and path on this server. */
const longBodies = new Map(
  (Object.keys(documents) as DocumentName[]).flatMap((name) =>
    Object.entries(documents[name].paths).flatMap(([path, item]) =>
      Object.entries(
        item as Record<string, { requestBody?: { content: Record<string, { 'x-max-bytes'?: number }> } }>,
      ).flatMap(([method, { requestBody }]) =>
        Object.entries(requestBody?.content ?? {}).flatMap(
          ([type, { 'x-max-bytes': maxBytes }]): [string, LongBody][] =>
            maxBytes === undefined
              ? []
              : [[`${method.toUpperCase()} ${basePathOf(name)}${path}`, { type, maxBytes }]],
        ),
      ),
    ),
  ),
)

/**
 * The type and size of the long body that this request may have. It is known before the validator matches the
 * operation.
 */
export const longBodyOf = ({ method, baseUrl, path }: { method: string; baseUrl: string; path: string }) =>
  longBodies.get(`${method} ${baseUrl}${path}`)
