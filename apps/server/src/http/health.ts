import { Router } from 'express'

/** For load balancers: the process lives (`/healthz`); it can answer requests (`/readyz`). */
export function health(isReady: () => Promise<boolean>): Router {
  const router = Router()
  router.get('/healthz', (_req, res) => void res.json({ status: 'ok' }))
  router.get('/readyz', async (_req, res) => {
    const ready = await isReady()
    res.status(ready ? 200 : 503).json({ status: ready ? 'ok' : 'unavailable' })
  })
  return router
}
