// The page of each error code at `/errors/<code>`, to which the `Link` header of an error response leads, and
// the list of all codes at `/errors`. Both are rendered from the catalogue in `spec/errors/`.
import { STATUS_CODES } from 'node:http'
import { type DocumentName, type ErrorCode, routes } from '@tiwala/contract'
import catalogue from '@tiwala/contract/errors.json' with { type: 'json' }
import { type RequestHandler, Router } from 'express'
import type { Listener } from '../config.ts'
import { basePathOf, documents } from '../contract/documents.ts'
import type { ByteBudget } from './byte-budget.ts'
import { escapeHtml } from './escape-html.ts'
import { renderPage, sendPage, toHtml } from './render-page.ts'
import { protectOwnPages } from './security-headers.ts'

type Entry = {
  status: number
  meaning: string
  action: string
  citizen?: string
  headers: Record<string, string | number>
  example: object
  operations: string[]
}
const ENTRIES = Object.entries<Entry>(catalogue) as [ErrorCode, Entry][]

/** Pages name the operations of the listener's documents only. */
export function errorPages({ documents: names }: Listener, budget: ByteBudget): RequestHandler {
  const handlers = new Map(
    ENTRIES.map(([code, entry]) => [code as string, sendPage(() => renderCode(code, entry, names), budget)]),
  )
  const router = Router({ strict: true, caseSensitive: true })
  router.all('/errors', protectOwnPages, sendPage(renderList, budget))
  router.all('/errors/:code', protectOwnPages, (req, res, next) => {
    const handler = handlers.get(String(req.params['code']))
    return handler ? handler(req, res, next) : next()
  })
  return router
}

const renderList = () =>
  renderPage(
    'Error codes',
    `<h1>Error codes</h1>
      <p>The field <code>error</code> of an error response holds one of these codes. Your program decides by
      it.</p>
      <ul>
        ${ENTRIES.map(renderItem).join('\n        ')}
      </ul>`,
  )

const renderItem = ([code, { status, meaning }]: [ErrorCode, Entry]) =>
  `<li>${status} <a href="/errors/${code}"><code>${code}</code></a>: ${toHtml(meaning)}</li>`

function renderCode(code: ErrorCode, entry: Entry, names: DocumentName[]): string {
  const { status, meaning, action, citizen, headers, example, operations } = entry
  const statusLine = `${status} ${STATUS_CODES[status]}`
  const response = [
    `HTTP/1.1 ${statusLine}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `\n${JSON.stringify(example, null, 2)}`,
  ]
  return renderPage(
    code,
    `<p><a href="/errors">All error codes</a></p>
      <h1><code>${code.replaceAll('_', '_<wbr>')}</code></h1>
      <p>HTTP status ${statusLine}</p>
      <h2>What happened</h2>
      <p>${toHtml(meaning)}</p>
      <h2>What to do</h2>
      <p>${toHtml(action)}</p>
      ${citizen ? `<h2>What to tell the citizen</h2>\n      <p>${toHtml(citizen)}</p>` : ''}
      <h2>Example</h2>
      <pre><code>${escapeHtml(response.join('\n'))}</code></pre>
      ${names.map((name) => renderOperations(name, operations)).join('')}`,
  )
}

function renderOperations(name: DocumentName, operations: string[]): string {
  const items = Object.entries<{ method: string; path: string }>(routes[name])
    .filter(([id]) => operations.includes(id))
    .map(
      ([id, { method, path }]) =>
        `<li><code>${id}</code>: <code>${method.toUpperCase()} ${basePathOf(name)}${path}</code></li>`,
    )
  if (items.length === 0) return ''
  return `<h2>Operations of the ${documents[name].info.title}</h2>
      <ul>
        ${items.join('\n        ')}
      </ul>
      `
}
