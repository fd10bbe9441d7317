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

/** The base path of a document's operations on this server. */
export const basePathOf = (name: DocumentName) => basePathIn(documents[name])
const basePathIn = ({ servers }: Document) => new URL(servers[0]!.url).pathname.replace(/\/$/, '')

/** An operation as its document describes it. */
type DescribedOperation = {
  operationId: string
  parameters?: { $ref?: string; in?: string }[]
  requestBody?: { content: Record<string, { schema: object; 'x-max-bytes'?: number }> }
  responses: Record<string, object>
  security?: Record<string, string[]>[]
  deprecated?: boolean
  'x-deprecated-at': string
  'x-sunset': string
}

/** The operations of a document, with their paths on this server. `pattern` matches such a path. */
export const operationsOf = (document: Document) =>
  Object.entries(document.paths).flatMap(([template, item]) => {
    const path = basePathIn(document) + template
    const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
    return Object.entries(item as Record<string, DescribedOperation>).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      pattern,
      operation,
    }))
  })

const allOperations = Object.values(documents).flatMap(operationsOf)

/** The scopes of an operation of administrators. */
export function operatorScopesOf(id: keyof OperatorOperations): string[] {
  const { operation } = allOperations.find((each) => each.operation.operationId === id)!
  return operation.security![0]!['operatorToken']!
}

/** The paths on this server whose response is a stream of events. */
export const streamPaths = new Set(
  allOperations.flatMap(({ path, operation }) =>
    JSON.stringify(operation).includes('"text/event-stream"') ? [path] : [],
  ),
)

type LongBody = { type: string; maxBytes: number }

/** Bodies that may be longer than 16 KiB (`x-max-bytes`), by method and path on this server. */
const longBodies = new Map(
  allOperations.flatMap(({ method, path, operation }) =>
    Object.entries(operation.requestBody?.content ?? {}).flatMap(
      ([type, { 'x-max-bytes': maxBytes }]): [string, LongBody][] =>
        maxBytes === undefined ? [] : [[`${method} ${path}`, { type, maxBytes }]],
    ),
  ),
)

/**
 * The type and size of the long body that this request may have. It is known before the validator matches the
 * operation.
 */
export const longBodyOf = ({ method, baseUrl, path }: { method: string; baseUrl: string; path: string }) =>
  longBodies.get(`${method} ${baseUrl}${path}`)
