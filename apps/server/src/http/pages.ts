import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DocumentName } from '@tiwala/contract'
import { type RequestHandler, Router } from 'express'
import { stringify } from 'yaml'
import type { Listener } from '../config.ts'
import { basePathOf, type Document, documents } from '../contract/documents.ts'
import { toLiveDocument } from '../contract/live-document.ts'
import type { ByteBudget } from './byte-budget.ts'
import { protectOwnPages, protectPages } from './security-headers.ts'
import { sendStatic, createStaticResponse, type StaticResponse } from './static-response.ts'

const SCALAR = join(
  dirname(createRequire(import.meta.url).resolve('@scalar/api-reference')),
  'browser',
  'standalone.js',
)
const PAGES = fileURLToPath(new URL('../../pages/', import.meta.url))
const DOWNLOADS = fileURLToPath(new URL('../../../../packages/client/download/', import.meta.url))

/** Browsers revalidate at each use, and get 304 while the page is the same. */
export const REVALIDATE = 'public, max-age=0'
const CACHE_FOR_A_DAY = 'public, max-age=86400'
const CACHE_FOR_MINUTES = 'public, max-age=300'

/** The first path segment of each operation in the documents. */
const OPERATIONS = new Set(
  (Object.keys(documents) as DocumentName[]).flatMap((name) =>
    Object.keys(documents[name].paths).map((path) => (basePathOf(name) + path).split('/')[1]!),
  ),
)

/**
 * Skips a handler of pages for requests of operations, so that they are not compared with the routes of all
 * pages.
 */
export const skipForOperations =
  (handler: RequestHandler): RequestHandler =>
  (req, res, next) =>
    OPERATIONS.has(req.path.split('/', 2)[1]!) ? next() : handler(req, res, next)

const yamls = new Map<Document, string>()

/**
 * Writing YAML takes up to 50 ms, so a process does it once, at the first request for it and not at the
 * start.
 */
function yamlOf(document: Document): string {
  const yaml = yamls.get(document) ?? stringify(document, { aliasDuplicateObjects: false })
  yamls.set(document, yaml)
  return yaml
}

/** The OpenAPI documents at `/openapi/`, which pages of every origin may read. */
export async function openApiDocuments(
  { documents: names, url }: Listener,
  budget: ByteBudget,
  isLive: boolean,
): Promise<RequestHandler> {
  const router = Router({ strict: true, caseSensitive: true })
  router.use('/openapi', protectPages, (_req, res, next) => {
    res.set({ 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' })
    next()
  })
  for (const name of names) {
    const document = isLive ? toLiveDocument(documents[name]) : documents[name]
    // The document has an example address; replace it by the address of this server.
    const example = new URL(documents[name].servers[0]!.url).origin
    const asJson = await createStaticResponse(
      'application/json',
      JSON.stringify(document).replaceAll(example, url),
    )
    let asYaml: Promise<StaticResponse> | undefined
    const storeYaml = () =>
      (asYaml ??= createStaticResponse('application/yaml', yamlOf(document).replaceAll(example, url)))
    router.all(`/openapi/${name}.json`, sendStatic(asJson, CACHE_FOR_MINUTES, budget))
    router.all(`/openapi/${name}.yaml`, sendStatic(storeYaml, CACHE_FOR_MINUTES, budget))
  }
  return router
}

let scalar: Promise<StaticResponse> | undefined

/**
 * The script has 4 MB and takes 300 ms to compress on other threads, so a process does it once, at the first
 * request.
 */
function storeScalar(): Promise<StaticResponse> {
  scalar ??= readFile(SCALAR).then((script) => createStaticResponse('text/javascript', script))
  // A failure is not cached.
  scalar.catch(() => (scalar = undefined))
  return scalar
}

/** The documentation for people (`/docs`) and the downloads of the client. */
export async function pages(budget: ByteBudget, isLive: boolean): Promise<RequestHandler> {
  const router = Router({ strict: true, caseSensitive: true })
  router.get('/docs/', protectPages, (_req, res) => res.redirect('/docs'))
  router.all('/docs/scalar.js', protectPages, sendStatic(storeScalar, CACHE_FOR_A_DAY, budget))
  for (const name of existsSync(DOWNLOADS) ? await readdir(DOWNLOADS) : [])
    router.all(
      `/downloads/${name}`,
      protectPages,
      sendStatic(await storeFile(join(DOWNLOADS, name)), REVALIDATE, budget),
    )
  for (const name of await readdir(PAGES)) {
    const handler = sendStatic(await storeFile(join(PAGES, name), isLive), REVALIDATE, budget)
    const path = name.replace(/\.html$/, '')
    router.all([`/${name}`, `/${path}`, ...(path === 'index' ? ['/'] : [])], protectOwnPages, handler)
  }
  return router
}

const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.tgz': 'application/gzip',
}

/** The part of a page that only one environment shows: `<li class="sandbox">`, `<li class="live">`. */
const ONLY_LIVE = /\s*<li class="live">.*?<\/li>/gs
const ONLY_SANDBOX = /\s*<li class="sandbox">.*?<\/li>/gs

async function storeFile(path: string, isLive = false): Promise<StaticResponse> {
  const type = TYPES[extname(path)] ?? 'application/octet-stream'
  const content = await readFile(path)
  if (type !== 'text/html') return createStaticResponse(type, content, type !== 'application/gzip')
  return createStaticResponse(type, content.toString().replaceAll(isLive ? ONLY_SANDBOX : ONLY_LIVE, ''))
}
