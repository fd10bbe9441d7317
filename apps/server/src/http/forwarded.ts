import type { RequestHandler } from 'express'
import type { Logger } from 'pino'

const WARNING =
  'a request came with X-Forwarded-For or Forwarded from an address that TIWALA_TRUSTED_PROXIES does not name: ' +
  'the header is ignored, so all callers behind that proxy count as one address'

/** Node joins repeated headers with commas. Some load balancers add the port: `203.0.113.7:1234`, `[2001:db8::1]:443`. */
const withoutPort = (entry: string) => entry.trim().replace(/^(\d+\.\d+\.\d+\.\d+):\d+$|^\[([^\]]*)\](?::\d+)?$/, '$1$2')

let hasWarned = false

/**
 * Makes `X-Forwarded-For` readable for Express (`req.ip`), and warns once in a process if an address that is not trusted sends
 * a forwarding header.
 */
export function readForwarded(log: Logger): RequestHandler {
  return (req, _res, next) => {
    const { 'x-forwarded-for': forwardedFor, forwarded } = req.headers
    if (forwardedFor !== undefined || forwarded !== undefined) {
      const isTrusted = req.app.get('trust proxy fn') as (address: string | undefined, hop: number) => boolean
      if (!hasWarned && !isTrusted(req.socket.remoteAddress, 0)) {
        hasWarned = true
        log.warn(WARNING)
      }
      if (forwardedFor !== undefined) req.headers['x-forwarded-for'] = String(forwardedFor).split(',').map(withoutPort).join(', ')
    }
    // Express would read the headers again each time.
    Object.defineProperty(req, 'ip', { value: req.ip })
    next()
  }
}
