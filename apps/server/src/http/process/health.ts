import { type Request, Router } from 'express'
import type { Config, Listener } from '../../config.ts'
import { isLoopbackHost } from '../../network/addresses.ts'
import type { Versions } from '../../versions.ts'
import type { ForwardedReader } from '../pipeline/forwarded.ts'

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

type State = 'ok' | 'unavailable'
/** `ready`: whether the service can serve requests. Without its providers it still serves partners. */
export type Readiness = {
  ready: boolean
  draining: boolean
  database: State
  citizen_identity: State
  operator_identity: State
  versions: Versions
  /** An address whose forwarding header is ignored. Perhaps a proxy that the settings should name. */
  ignored_proxy: string | undefined
}

type Parts = {
  isDatabaseUp: () => Promise<boolean>
  isDraining: () => boolean
  hasKeys: Record<'citizen' | 'operator', () => boolean>
  versions: Versions
  ignoredProxy: ForwardedReader['ignoredProxy']
}

/** Reads the state of the parts on which the service depends. */
export function createReadiness({ isDatabaseUp, isDraining, hasKeys, versions, ignoredProxy }: Parts) {
  const isUp = shareCheck(isDatabaseUp)
  const stateOf = (isAvailable: boolean): State => (isAvailable ? 'ok' : 'unavailable')
  return async (): Promise<Readiness> => {
    const hasDatabase = await isUp()
    return {
      ready: hasDatabase && !isDraining(),
      draining: isDraining(),
      database: stateOf(hasDatabase),
      citizen_identity: stateOf(hasKeys.citizen()),
      operator_identity: stateOf(hasKeys.operator()),
      versions,
      ignored_proxy: ignoredProxy(),
    }
  }
}

/**
 * For load balancers: `/healthz` says that the process runs, `/readyz` that it can serve requests. The
 * operator, and in the sandbox a program on this machine, also learn which dependency is away, and which
 * version runs. In live a request from a loopback address may come through the proxy, which need not say so.
 */
export function health(
  readiness: () => Promise<Readiness>,
  { hasPages }: Pick<Listener, 'hasPages'>,
  { environment }: Pick<Config, 'environment'>,
): Router {
  const router = Router()
  router.get('/healthz', (_req, res) => void res.json({ status: 'ok' }))
  router.get('/readyz', async (req, res) => {
    const { ready, ...details } = await readiness()
    const status = ready ? 'ok' : 'unavailable'
    const isTrusted = !hasPages || (environment === 'sandbox' && isFromThisMachine(req))
    res.status(ready ? 200 : 503).json(isTrusted ? { status, ...details } : { status })
  })
  return router
}

/** What proxies add. */
const OF_PROXY =
  /^(x-forwarded|forwarded|via|x-real-ip|x-client-ip|true-client-ip|x-original|x-envoy|cf-|x-cluster)/

/** Not through a proxy on this machine, whose requests also come from a loopback address. */
function isFromThisMachine({ socket, headers, httpVersion }: Request): boolean {
  const address = socket.remoteAddress?.replace(/^::ffff:/, '') ?? ''
  // By default nginx adds no header, and speaks HTTP/1.0 to the service.
  const isForwarded = httpVersion === '1.0' || Object.keys(headers).some((name) => OF_PROXY.test(name))
  const host = headers.host?.replace(/:\d*$/, '') ?? ''
  return isLoopbackHost(address) && !isForwarded && isLoopbackHost(host)
}
