import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type RequestHandler, Router } from 'express'
import { protectBuiltPages } from '../pipeline/security-headers.ts'
import { storeFile } from './pages.ts'
import { type ByteBudget, CACHE_FOR_A_YEAR, REVALIDATE, sendStatic } from './static-response.ts'

/** The names of these files contain a hash of their content. */
const ASSETS = 'assets'

/** A page that Vite has built into a folder, at `<path>/`. Without a build there is no page. */
export async function builtPage(
  path: string,
  folder: string,
  budget: ByteBudget,
  protect: (file: string) => RequestHandler = () => protectBuiltPages,
): Promise<RequestHandler> {
  const router = Router({ strict: true, caseSensitive: true })
  if (!existsSync(folder)) return router
  router.get(path, protect('index.html'), (_req, res) => res.redirect(308, `${path}/`))
  for (const file of await readdir(folder, { recursive: true })) {
    if (!file.includes('.')) continue
    const cacheControl = file.startsWith(ASSETS) ? CACHE_FOR_A_YEAR : REVALIDATE
    const handler = sendStatic(await storeFile(join(folder, file)), cacheControl, budget)
    router.all([`${path}/${file === 'index.html' ? '' : file}`], protect(file), handler)
  }
  return router
}
