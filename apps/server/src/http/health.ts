import { Router } from 'express'

const MAX_AGE_MS = 250

/**
 * Requests share one check: one that is still running, or whose result is at most 250 ms old. So the database
 * gets at most four checks a second, however many requests arrive.
 */
export function shareCheck(check: () => Promise<boolean>): () => Promise<boolean> {
  let last: { result: Promise<boolean>; startedAtMs: number; isRunning: boolean } | undefined
  return () => {
    if (last && (last.isRunning || performance.now() - last.startedAtMs < MAX_AGE_MS)) return last.result
    const result = check().finally(() => (started.isRunning = false))
    const started = { result, startedAtMs: performance.now(), isRunning: true }
    last = started
    return result
  }
}

/** For load balancers: `/healthz` says that the process runs, `/readyz` that it can serve requests. */
export function health(isReady: () => Promise<boolean>): Router {
  const router = Router()
  router.get('/healthz', (_req, res) => void res.json({ status: 'ok' }))
  router.get('/readyz', async (_req, res) => {
    const ready = await isReady()
    res.status(ready ? 200 : 503).json({ status: ready ? 'ok' : 'unavailable' })
  })
  return router
}
