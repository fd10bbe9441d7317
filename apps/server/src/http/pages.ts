import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DocumentName } from '@tiwala/contract'
import { type RequestHandler, Router } from 'express'
import helmet from 'helmet'
import { stringify } from 'yaml'
import type { Listener } from '../config.ts'
import { basePathOf, documents } from '../contract/documents.ts'
import type { ByteBudget } from './byte-budget.ts'
import { computedOnce, protectPages } from './security-headers.ts'
import { sendStatic, createStaticResponse, type StaticResponse } from './static-response.ts'

const SCALAR = join(dirname(createRequire(import.meta.url).resolve('@scalar/api-reference')), 'browser', 'standalone.js')
const PAGES = fileURLToPath(new URL('../../pages/', import.meta.url))
const DOWNLOADS = fileURLToPath(new URL('../../../../packages/client/download/', import.meta.url))

/** Nothing on these pages comes from anywhere else. */
const protectOwnPages = computedOnce(
  helmet({
    xFrameOptions: { action: 'deny' },
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
  }),
)

/** Browsers ask again each time, and are answered 304 as long as nothing has changed. */
const ASK_AGAIN = 'public, max-age=0'
const KEEP_A_DAY = 'public, max-age=86400'
const KEEP_MINUTES = 'public, max-age=300'

/** First segments of all that the documents describe. */
const OPERATIONS = new Set(
  (Object.keys(documents) as DocumentName[]).flatMap((name) =>
    Object.keys(documents[name].paths).map((path) => (basePathOf(name) + path).split('/')[1]!),
  ),
)

/** For whatever else the server serves: a request of the documents' is compared with nothing of it. */
export const skipForOperations =
  (handler: RequestHandler): RequestHandler =>
  (req, res, next) =>
    OPERATIONS.has(req.path.split('/', 2)[1]!) ? next() : handler(req, res, next)

const yamls = new Map<DocumentName, string>()

/** Writing YAML takes up to 50 ms, which a start does not wait for: a process does it once, when the first client asks for it. */
function yamlOf(name: DocumentName): string {
  const yaml = yamls.get(name) ?? stringify(documents[name], { aliasDuplicateObjects: false })
  yamls.set(name, yaml)
  return yaml
}

/** The documents for programs, at `/openapi/`: for pages of every origin, too. */
export async function openApiDocuments({ documents: names, url }: Listener, budget: ByteBudget): Promise<RequestHandler> {
  const router = Router({ strict: true, caseSensitive: true })
  router.use('/openapi', protectPages, (_req, res, next) => {
    res.set({ 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' })
    next()
  })
  for (const name of names) {
    // With this server's own address wherever the document has the example one.
    const example = new URL(documents[name].servers[0]!.url).origin
    const asJson = await createStaticResponse('application/json', JSON.stringify(documents[name]).replaceAll(example, url))
    let asYaml: Promise<StaticResponse> | undefined
    const storeYaml = () => (asYaml ??= createStaticResponse('application/yaml', yamlOf(name).replaceAll(example, url)))
    router.all(`/openapi/${name}.json`, sendStatic(asJson, KEEP_MINUTES, budget))
    router.all(`/openapi/${name}.yaml`, sendStatic(storeYaml, KEEP_MINUTES, budget))
  }
  return router
}

let scalar: Promise<StaticResponse> | undefined

/** 4 MB, which take 300 ms to compress on other threads: once in a process, when the first browser asks for them. */
function storeScalar(): Promise<StaticResponse> {
  scalar ??= readFile(SCALAR).then((script) => createStaticResponse('text/javascript', script))
  // A failure is not kept.
  scalar.catch(() => (scalar = undefined))
  return scalar
}

/** The documents for people (`/docs`), and the client to download. */
export async function pages(budget: ByteBudget): Promise<RequestHandler> {
  const router = Router({ strict: true, caseSensitive: true })
  router.get('/docs/', protectPages, (_req, res) => res.redirect('/docs'))
  router.all('/docs/scalar.js', protectPages, sendStatic(storeScalar, KEEP_A_DAY, budget))
  for (const name of existsSync(DOWNLOADS) ? await readdir(DOWNLOADS) : [])
    router.all(`/downloads/${name}`, protectPages, sendStatic(await storeFile(join(DOWNLOADS, name)), ASK_AGAIN, budget))
  for (const name of await readdir(PAGES)) {
    const answer = sendStatic(await storeFile(join(PAGES, name)), ASK_AGAIN, budget)
    const path = name.replace(/\.html$/, '')
    router.all([`/${name}`, `/${path}`, ...(path === 'index' ? ['/'] : [])], protectOwnPages, answer)
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

async function storeFile(path: string): Promise<StaticResponse> {
  const type = TYPES[extname(path)] ?? 'application/octet-stream'
  return createStaticResponse(type, await readFile(path), type !== 'application/gzip')
}
