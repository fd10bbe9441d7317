import { type RequestHandler, Router } from 'express'
import { readMetrics } from '../metrics/cluster-metrics.ts'

/** For Prometheus, on the address of the operator API only. */
export function metrics(): RequestHandler {
  const router = Router({ strict: true, caseSensitive: true })
  router.get('/metrics', async (_req, res) => {
    const text = await readMetrics()
    res
      .status(text ? 200 : 503)
      .type('text/plain; version=0.0.4')
      .send(
        text ||
          '# A process did not answer in time. Read the metrics again; if this repeats, check the load.\n',
      )
  })
  return router
}
