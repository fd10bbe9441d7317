import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { DocumentName } from '@tiwala/contract'
import flatPartnerWithHeaders from '@tiwala/contract/partner-3.0-headers.json' with { type: 'json' }
import flatPartner from '@tiwala/contract/partner-3.0.json' with { type: 'json' }
import postmanCollection from '@tiwala/contract/partner-postman.json' with { type: 'json' }
import { logoFile } from '@tiwala/ui/logo'
import { type RequestHandler, Router } from 'express'
import { stringify } from 'yaml'
import type { Config, Listener } from '../../config.ts'
import { basePathOf, documents } from '../../contract/documents.ts'
import { toLiveDocument } from '../../contract/live-document.ts'
import { withMarkers } from '../../contract/setting-numbers.ts'
import { pathOf } from '../../program.ts'
import { protectOwnPages, protectPages } from '../pipeline/security-headers.ts'
import { fillNumbers } from './docs-values.ts'
import { httpFile } from './http-file.ts'
import { sendPage } from './render-page.ts'
import { startPage } from './start-page.ts'
import {
  type ByteBudget,
  CONTENT_TYPES,
  createStaticResponse,
  REVALIDATE,
  sendStatic,
  type StaticResponse,
} from './static-response.ts'

const CACHE_FOR_MINUTES = 'public, max-age=300'

/** What the paths of the operations begin with: the base path of a document, or the first segment of its paths. */
const OPERATIONS = (Object.keys(documents) as DocumentName[]).flatMap((name) => {
  const base = basePathOf(name)
  const firsts = Object.keys(documents[name].paths).map((path) => `/${path.split('/')[1]!}`)
  return base ? [`${base}/`] : [...new Set(firsts)].map((first) => `${first}/`)
})

/**
 * Skips a handler of pages for requests of operations, so that they are not compared with the routes of all
 * pages.
 */
export const skipForOperations =
  (handler: RequestHandler): RequestHandler =>
  (req, res, next) =>
    OPERATIONS.some((prefix) => req.path.startsWith(prefix)) ? next() : handler(req, res, next)

const yamls = new Map<object, string>()

/** Writing YAML takes up to 50 ms, so a process does it once. */
function yamlOf(document: object): string {
  const yaml = yamls.get(document) ?? stringify(withMarkers(document), { aliasDuplicateObjects: false })
  yamls.set(document, yaml)
  return yaml
}

/**
 * The OpenAPI documents at `/openapi/`, which pages of every origin may read. Each is written at the first
 * request for it, so that the start takes no time for them.
 */
export function openApiDocuments(
  { documents: names, url }: Listener,
  { numbers, environment }: Pick<Config, 'numbers' | 'environment'>,
  budget: ByteBudget,
): RequestHandler {
  const router = Router({ strict: true, caseSensitive: true })
  router.use('/openapi', protectPages, (_req, res, next) => {
    res.set({ 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' })
    next()
  })
  for (const name of names) {
    const example = new URL(documents[name].servers[0]!.url).origin
    /** The document has an example address and the defaults of settings: this server has its own. */
    const asOwn = (text: string) => fillNumbers(text.replaceAll(example, url), numbers)
    const asDocument = (value: object) => (environment === 'live' ? toLiveDocument(value) : value)
    const json = (value: object) => asOwn(JSON.stringify(withMarkers(asDocument(value))))
    const yaml = () => asOwn(yamlOf(asDocument(documents[name])))
    const send = (file: string, type: string, write: () => string) => {
      let stored: Promise<StaticResponse> | undefined
      const store = () => (stored ??= createStaticResponse(type, write()))
      router.all(`/openapi/${file}`, sendStatic(store, CACHE_FOR_MINUTES, budget))
    }
    send(`${name}.json`, 'application/json', () => json(documents[name]))
    send(`${name}.yaml`, 'application/yaml', yaml)
    // For generators of clients, and for programs that send requests.
    if (name === 'partner') {
      send('partner-3.0.json', 'application/json', () => json(flatPartner))
      send('partner-3.0-headers.json', 'application/json', () => json(flatPartnerWithHeaders))
      send('partner.postman_collection.json', 'application/json', () => json(postmanCollection))
      send('partner.http', 'text/plain', () => asOwn(httpFile(withMarkers(asDocument(postmanCollection)))))
    }
  }
  return router
}

/** In this order: a later style sheet uses the values of the earlier ones. */
const STYLES = ['tokens', 'elements', 'components', 'consent']

/** The page at `/`. */
export function startPageOf(budget: ByteBudget, options: Parameters<typeof startPage>[0]): RequestHandler {
  const router = Router({ strict: true, caseSensitive: true })
  router.all(
    ['/', '/index'],
    protectOwnPages,
    sendPage(() => startPage(options), budget),
  )
  return router
}

/** What all own pages load. */
export async function ownStyles(budget: ByteBudget): Promise<RequestHandler> {
  const router = Router({ strict: true, caseSensitive: true })
  const styles = await Promise.all(STYLES.map((name) => readFile(join(pathOf('styles'), `${name}.css`))))
  const send = async (type: string, content: string | Buffer) =>
    sendStatic(await createStaticResponse(type, content), REVALIDATE, budget)
  router.all('/page.css', protectOwnPages, await send('text/css', Buffer.concat(styles)))
  router.all('/icon.svg', protectOwnPages, await send('image/svg+xml', logoFile))
  return router
}

/** A file of a page, with the type of its name. */
export async function storeFile(path: string): Promise<StaticResponse> {
  const type = CONTENT_TYPES[extname(path)] ?? 'application/octet-stream'
  return createStaticResponse(type, await readFile(path))
}
