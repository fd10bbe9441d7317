import { Router } from 'express'
import { isDatabaseUp } from '../database/connect.ts'
import type { Service } from '../operation.ts'

/** For load balancers: the process lives (`/healthz`); it can answer requests (`/readyz`). */
export function health({ db }: Service, isDraining: () => boolean): Router {
  const router = Router()
  router.get('/healthz', (_req, res) => void res.json({ status: 'ok' }))
  router.get('/readyz', async (_req, res) => {
    const ready = !isDraining() && (await isDatabaseUp(db))
    res.status(ready ? 200 : 503).json({ status: ready ? 'ok' : 'unavailable' })
  })
  return router
}
