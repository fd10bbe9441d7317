import { type RequestHandler, Router } from 'express'
import { registry } from '../../metrics/registry.ts'

/** The metrics of this process for Prometheus, on the address of the operator API only. */
export function metrics(): RequestHandler {
  const router = Router({ strict: true, caseSensitive: true })
  router.get('/metrics', async (_req, res) => {
    res.type('text/plain; version=0.0.4').send(await registry.metrics())
  })
  return router
}
