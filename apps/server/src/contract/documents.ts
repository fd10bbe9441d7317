import type { DocumentName } from '@tiwala/contract'
import citizenApp from '@tiwala/contract/citizen-app.json' with { type: 'json' }
import operator from '@tiwala/contract/operator.json' with { type: 'json' }
import partner from '@tiwala/contract/partner.json' with { type: 'json' }

export type Document = typeof partner | typeof citizenApp | typeof operator

export const documents: Record<DocumentName, Document> = { partner, 'citizen-app': citizenApp, operator }

/** Under which path a document's operations live on this server. */
export const basePathOf = (name: DocumentName) => new URL(documents[name].servers[0]!.url).pathname.replace(/\/$/, '')

/** Whose answer is a stream of events, by path on this server. */
export const streamPaths = new Set(
  (Object.keys(documents) as DocumentName[]).flatMap((name) =>
    Object.entries(documents[name].paths).flatMap(([path, item]) =>
      JSON.stringify(item).includes('"text/event-stream"') ? [basePathOf(name) + path] : [],
    ),
  ),
)

type LongBody = { type: string; mostBytes: number }

/** Bodies that may be longer than the others (`x-max-bytes`), by method and path on this server. */
const longBodies = new Map(
  (Object.keys(documents) as DocumentName[]).flatMap((name) =>
    Object.entries(documents[name].paths).flatMap(([path, item]) =>
      Object.entries(item as Record<string, { requestBody?: { content: Record<string, { 'x-max-bytes'?: number }> } }>).flatMap(
        ([method, { requestBody }]) =>
          Object.entries(requestBody?.content ?? {}).flatMap(([type, { 'x-max-bytes': mostBytes }]): [string, LongBody][] =>
            mostBytes === undefined ? [] : [[`${method.toUpperCase()} ${basePathOf(name)}${path}`, { type, mostBytes }]],
          ),
      ),
    ),
  ),
)

/** What this request may send instead of a body of the usual form. Known before the validator has matched its operation. */
export const longBodyOf = ({ method, baseUrl, path }: { method: string; baseUrl: string; path: string }) =>
  longBodies.get(`${method} ${baseUrl}${path}`)
