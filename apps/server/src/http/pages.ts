import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DocumentName } from '@tiwala/contract'
import { type RequestHandler, Router, static as serveFolder } from 'express'
import helmet from 'helmet'
import { stringify } from 'yaml'
import type { Listener } from '../config.ts'
import { basePathOf, documents } from './contract.ts'
import { protectPages } from './security-headers.ts'

const SCALAR = join(dirname(createRequire(import.meta.url).resolve('@scalar/api-reference')), 'browser', 'standalone.js')
const PAGES = fileURLToPath(new URL('../../pages/', import.meta.url))
const DOWNLOADS = fileURLToPath(new URL('../../../../packages/client/download/', import.meta.url))

/** Nothing on these pages comes from anywhere else. */
const contentSecurityPolicy: RequestHandler = helmet.contentSecurityPolicy({
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
})

const ADDRESSES = new Set(['/', ...readdirSync(PAGES).flatMap((name) => [`/${name}`, `/${name.replace(/\.html$/, '')}`])])

/** First segments of all that the documents describe. */
const OPERATIONS = new Set(
  (Object.keys(documents) as DocumentName[]).flatMap((name) =>
    Object.keys(documents[name].paths).map((path) => (basePathOf(name) + path).split('/')[1]!),
  ),
)

/** For whatever else the server serves: a request of the documents' is compared with nothing of it. */
export const exceptOperations =
  (handler: RequestHandler): RequestHandler =>
  (req, res, next) =>
    OPERATIONS.has(req.path.split('/', 2)[1]!) ? next() : handler(req, res, next)

/** Nothing else is looked for in the folder. */
const onlyPages: RequestHandler = (req, _res, next) => next(ADDRESSES.has(req.path) ? undefined : 'router')

/** The documents for programs, at `/openapi/`. */
export function openApiDocuments({ documents: names, url }: Listener): Router {
  const router = Router({ strict: true })
  router.use('/openapi', protectPages)
  for (const name of names) {
    const document = addressed(name, url)
    router.get(`/openapi/${name}.json`, (_req, res) => void res.json(document))
    router.get(
      `/openapi/${name}.yaml`,
      (_req, res) => void res.type('application/yaml').send(stringify(document, { aliasDuplicateObjects: false })),
    )
  }
  return router
}

/** The documents for people (`/docs`), and the client to download. */
export function pages(): Router {
  const router = Router({ strict: true })
  router.use(protectPages)
  router.get('/docs/', (_req, res) => res.redirect('/docs'))
  router.use('/downloads', serveFolder(DOWNLOADS))
  router.get('/docs/scalar.js', (_req, res) => res.sendFile(SCALAR, { maxAge: '1d' }))
  router.use(onlyPages, contentSecurityPolicy, serveFolder(PAGES, { extensions: ['html'] }))
  return router
}

/** The document with this server's own address wherever it has the example one. */
function addressed(name: DocumentName, url: string): unknown {
  const example = new URL(documents[name].servers[0]!.url).origin
  return JSON.parse(JSON.stringify(documents[name]).replaceAll(example, url))
}
