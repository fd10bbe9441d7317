// The documentation at `/docs`: the files that `apps/docs` has built for a listener, with the values of this
// server filled in.
import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import catalogue from '@tiwala/contract/errors.json' with { type: 'json' }
import { type Request, type RequestHandler, Router } from 'express'
import { Failure } from '../../failure.ts'
import { isRelease, pathOf } from '../../program.ts'
import { protectDocs, protectOwnPages } from '../pipeline/security-headers.ts'
import type { FillValues } from './docs-values.ts'
import { escapeHtml, renderPage } from './render-page.ts'
import {
  type ByteBudget,
  CACHE_FOR_A_YEAR,
  CONTENT_TYPES,
  createStaticResponse,
  REVALIDATE,
  sendStatic,
  type StaticResponse,
} from './static-response.ts'

/** How often the server looks whether the site was built or built again. */
const CHECK_INTERVAL_MS = 1_000
/** The names of these files change with their content. */
const HASHED = /^_astro\//

/** A release has the documentation of the usual listeners only. */
const NOT_RELEASED = `<h1>No documentation</h1>
      <p>This release has no documentation for the chosen APIs (<code>TIWALA_DOCUMENTS</code>).</p>`
const NOT_BUILT = `<h1>The documentation is not built yet</h1>
      <p><code>npm start</code> builds it in less than a minute. This page reloads by itself.</p>
      <p>Without <code>npm start</code>, run <code>npm run build --workspace @tiwala/docs</code>.</p>`
const RELOAD_AFTER_SECONDS = '2'

/** The page of the site for an address that it does not have. */
const NOT_FOUND = '404.html'

type Site = { builtAtMs: number; files: Map<string, RequestHandler>; notFound: RequestHandler | undefined }

/** The site with this name, which need not be built yet. */
export function docsSite(
  name: string,
  fill: FillValues,
  budget: ByteBudget,
  folder = join(pathOf('docs'), name),
): RequestHandler {
  const router = Router({ strict: true, caseSensitive: true })
  let site: Promise<Site | undefined> = Promise.resolve(undefined)
  let checkedAtMs = -Infinity
  const currentSite = () => {
    if (performance.now() - checkedAtMs > CHECK_INTERVAL_MS) {
      checkedAtMs = performance.now()
      // While a build is put in place of another, the list of files cannot be read.
      site = site.then((loaded) => loadSite(folder, fill, budget, loaded).catch(() => loaded))
    }
    return site
  }
  router.get('/llms.txt', (_req, res) => res.redirect('/docs/llms.txt'))
  router.get('/errors', (_req, res) => res.redirect('/docs/errors'))
  router.get('/errors/:code', ({ params: { code } }, res, next) =>
    Object.hasOwn(catalogue, code) ? res.redirect(`/docs/errors/${code}`) : next(),
  )
  router.all(['/docs', '/docs/', '/docs/*path'], protectDocs, async (req, res, next) => {
    const loaded = await currentSite()
    if (!loaded) return sendNotBuilt(req, res, next)
    const { path } = req
    const handler = loaded.files.get(path)
    if (handler) return handler(req, res, next)
    const withoutSlash = path.replace(/\/$/, '')
    if (loaded.files.has(withoutSlash)) return res.redirect(withoutSlash)
    if (!loaded.notFound || !prefersPage(req)) return next()
    res.status(404)
    return loaded.notFound(req, res, next)
  })
  return router
}

/** A browser prefers a page to JSON. Programs that accept everything get the error of the API. */
const prefersPage = (req: Request) =>
  (req.method === 'GET' || req.method === 'HEAD') && req.accepts(['json', 'html']) === 'html'

const sendNotBuilt: RequestHandler = (req, res, next) => {
  if (req.method !== 'GET' && req.method !== 'HEAD') return next()
  protectOwnPages(req, res, () => {})
  res.set('Cache-Control', 'no-store')
  if (!isRelease) res.set('Refresh', RELOAD_AFTER_SECONDS)
  res
    .status(202)
    .type('html')
    .send(renderPage('Documentation', isRelease ? NOT_RELEASED : NOT_BUILT))
}

/** A request costs a look-up in the list of files, which is read again after each build. */
async function loadSite(
  folder: string,
  fill: FillValues,
  budget: ByteBudget,
  loaded: Site | undefined,
): Promise<Site | undefined> {
  const builtAtMs = (await stat(folder).catch(() => undefined))?.mtimeMs
  if (builtAtMs === undefined || builtAtMs === loaded?.builtAtMs) return loaded
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = new Map<string, RequestHandler>()
  const sections = new Set<string>()
  for (const entry of entries.filter((each) => each.isFile())) {
    const file = join(entry.parentPath, entry.name)
    const name = file.slice(folder.length).split(sep).join('/').replace(/^\//, '')
    const [, section] = /^([^/]+)\/[^/]+\/index\.html$/.exec(name) ?? []
    if (section) sections.add(section)
    files.set(`/docs/${name}`.replace(/\/index\.html$/, ''), sendFile(file, name, fill, budget))
  }
  // The start page lists the pages of a section that has no page itself.
  for (const section of sections)
    if (!files.has(`/docs/${section}`))
      files.set(`/docs/${section}`, (_req, res) => res.redirect(`/docs#${section}`))
  const notFound = files.get(`/docs/${NOT_FOUND}`)
  files.delete(`/docs/${NOT_FOUND}`)
  return { builtAtMs, files, notFound }
}

/** Reads and compresses a file at its first request. */
function sendFile(file: string, name: string, fill: FillValues, budget: ByteBudget): RequestHandler {
  let stored: Promise<StaticResponse> | undefined
  const store = () => {
    stored ??= readFile(file).then(
      (content) => toResponse(content, extname(name), fill),
      // Another build without this file is in place.
      () => Promise.reject(new Failure('not_found')),
    )
    // A failure is not cached.
    stored.catch(() => (stored = undefined))
    return stored
  }
  return sendStatic(store, cacheControlOf(name), budget)
}

function cacheControlOf(name: string): string {
  // Another request for the same address gets JSON.
  if (name === NOT_FOUND) return 'no-store'
  return HASHED.test(name) ? CACHE_FOR_A_YEAR : REVALIDATE
}

const asJson = (value: string) => JSON.stringify(value).slice(1, -1)

function toResponse(content: Buffer, extension: string, fill: FillValues): Promise<StaticResponse> {
  const type = CONTENT_TYPES[extension] ?? 'application/octet-stream'
  const text = () => content.toString()
  if (['.html', '.svg', '.xml'].includes(extension))
    return createStaticResponse(type, fill(text(), escapeHtml))
  if (extension === '.md' || extension === '.txt') return createStaticResponse(type, fill(text()))
  // The texts of the search results are compressed JSON.
  if (extension === '.pf_fragment')
    return createStaticResponse(type, gzipSync(fill(gunzipSync(content).toString(), asJson)), false)
  return createStaticResponse(type, content, extension in CONTENT_TYPES)
}
