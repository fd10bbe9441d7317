import type { RequestHandler } from 'express'
import type { Logger } from 'pino'

const WARNING =
  'ignoring X-Forwarded-For or Forwarded: ' +
  'TIWALA_TRUSTED_PROXIES does not contain the address that sent it; ' +
  'all clients behind that proxy count as one address'

/** Some load balancers add the port: `203.0.113.7:1234`, `[2001:db8::1]:443`. */
const withoutPort = (entry: string) =>
  entry.trim().replace(/^(\d+\.\d+\.\d+\.\d+):\d+$|^\[([^\]]*)\](?::\d+)?$/, '$1$2')

export type ForwardedReader = {
  /**
   * Removes ports from `X-Forwarded-For`, so that Express can read it (`req.ip`). Warns once if an address
   * that is not trusted sends a forwarding header.
   */
  readForwarded: RequestHandler
  /** The first address whose forwarding header was ignored, because it is not a trusted proxy. */
  ignoredProxy(): string | undefined
}

/** The listeners of a process share one reader. */
export function createForwardedReader(log: Pick<Logger, 'warn'>): ForwardedReader {
  let ignored: string | undefined
  const readForwarded: RequestHandler = (req, _res, next) => {
    const { 'x-forwarded-for': forwardedFor, forwarded } = req.headers
    if (forwardedFor !== undefined || forwarded !== undefined) {
      const isTrusted = req.app.get('trust proxy fn') as (address: string | undefined, hop: number) => boolean
      if (ignored === undefined && !isTrusted(req.socket.remoteAddress, 0)) {
        ignored = req.socket.remoteAddress ?? 'unknown'
        log.warn({ host: ignored }, WARNING)
      }
      // Node joins repeated headers with commas.
      if (forwardedFor !== undefined)
        req.headers['x-forwarded-for'] = String(forwardedFor).split(',').map(withoutPort).join(', ')
    }
    // Express would read the headers again at each access.
    Object.defineProperty(req, 'ip', { value: req.ip })
    next()
  }
  return { readForwarded, ignoredProxy: () => ignored }
}
