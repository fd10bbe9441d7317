import { Router } from 'express'
import { rateLimitByAddress } from '../http/load/address-limits.ts'
import type { ByteBudget } from '../http/pages/static-response.ts'
import { readBody } from '../http/pipeline/body.ts'
import { normalizeContentType } from '../http/pipeline/headers.ts'
import { protectPages } from '../http/pipeline/security-headers.ts'
import type { Service } from '../operation.ts'
import { bootstrap } from './bootstrap.ts'
import { inbox } from './inbox.ts'
import { moveClock } from './move-clock.ts'
import { page } from './page.ts'
import { drawPhoto } from './photo.ts'
import { privateSandboxes } from './private/routes.ts'

/**
 * The target of the sandbox partner's `redirect_url`. The code stays in the address bar; nothing reads it.
 */
const SIGNED_IN_PAGE = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Signed in (sandbox)</title>
<link rel="stylesheet" href="/page.css">
<main><h1>Back at the partner</h1>
<p>Here your application reads <code>exchange_code</code> and <code>state</code> from the address.
If <code>state</code> is the one that it gave this browser, its server exchanges the code for the citizen's
profile within 60 seconds.</p>
<p><a href="/docs">How to do that</a></p></main></html>
`

/** Each move of the clock is stored and published to every process. */
const MAX_MOVES_PER_SECOND = 20
const CACHE_ONE_DAY = 'public, max-age=86400'

/** The pages that only the sandbox serves: everything that a new partner, a demo or a test needs to start. */
export async function sandboxPages(service: Service, budget: ByteBudget): Promise<Router> {
  const readBootstrap = bootstrap(service)
  const router = Router()
  router.use('/sandbox', protectPages)

  router.get('/sandbox/bootstrap.json', async (_req, res) => {
    res
      .set('Cache-Control', 'no-store')
      .type('json')
      .send(await readBootstrap())
  })

  router.use(inbox(service))

  router.post(
    '/sandbox/clock',
    rateLimitByAddress(MAX_MOVES_PER_SECOND),
    normalizeContentType,
    readBody,
    moveClock(service),
  )

  router.get('/sandbox/photos/:number.svg', (req, res) => {
    res
      .set('Cache-Control', CACHE_ONE_DAY)
      .type('image/svg+xml')
      .send(drawPhoto(Number(req.params.number) || 0))
  })

  router.get('/sandbox/signed-in', (_req, res) => {
    res.type('html').send(SIGNED_IN_PAGE)
  })

  router.use(await page(budget), privateSandboxes(service))

  return router
}
