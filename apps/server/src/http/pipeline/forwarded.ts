import type { RequestHandler } from 'express'
import type { Logger } from 'pino'

const WARNING =
  'ignoring X-Forwarded-For or Forwarded: ' +
  'TIWALA_TRUSTED_PROXIES does not contain the address that sent it; ' +
  'all clients behind that proxy count as one address'

const UNREAD =
  'ignoring Forwarded of a trusted proxy, because the service reads only X-Forwarded-For; ' +
  'let the proxy set X-Forwarded-For; until then, all clients behind that proxy count as one address'

/** Some load balancers add the port: `203.0.113.7:1234`, `[2001:db8::1]:443`. */
const withoutPort = (entry: string) =>
  entry.trim().replace(/^(\d+\.\d+\.\d+\.\d+):\d+$|^\[([^\]]*)\](?::\d+)?$/, '$1$2')

export type ForwardedReader = {
  /**
   * Removes ports from `X-Forwarded-For`, so that Express can read it (`req.ip`). Warns once if an address
   * that is not trusted sends a forwarding header, and once if a trusted one sends only `Forwarded`. Only one
   * of the two headers is read: a proxy replaces the one that it knows, and passes the other one of a client on.
   */
  readForwarded: RequestHandler
  /** The first address whose forwarding header was ignored, preferably that of a trusted proxy. */
  ignoredProxy(): string | undefined
}

/** The listeners of a process share one reader. */
export function createForwardedReader(log: Pick<Logger, 'warn'>): ForwardedReader {
  let ignored: string | undefined
  let unread: string | undefined
  const readForwarded: RequestHandler = (req, _res, next) => {
    const { 'x-forwarded-for': forwardedFor, forwarded } = req.headers
    if (forwardedFor !== undefined || forwarded !== undefined) {
      const isTrusted = req.app.get('trust proxy fn') as (address: string | undefined, hop: number) => boolean
      const { remoteAddress: address = 'unknown' } = req.socket
      if (!isTrusted(req.socket.remoteAddress, 0)) {
        if (ignored === undefined) log.warn({ host: address }, WARNING)
        ignored ??= address
      } else if (forwardedFor === undefined) {
        if (unread === undefined) log.warn({ host: address }, UNREAD)
        unread ??= address
      }
      // Node joins repeated headers with commas.
      if (forwardedFor !== undefined)
        req.headers['x-forwarded-for'] = String(forwardedFor).split(',').map(withoutPort).join(', ')
    }
    // Express would read the headers again at each access.
    Object.defineProperty(req, 'ip', { value: req.ip })
    next()
  }
  return { readForwarded, ignoredProxy: () => unread ?? ignored }
}
