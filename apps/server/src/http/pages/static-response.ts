// Responses that are the same for every client. Bytes, compressed forms and ETags are computed once, so that
// a request costs a look-up and a write.
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { RequestHandler } from 'express'
import { Failure } from '../../failure.ts'
import { createWindowCounter } from '../../limits/window-counter.ts'
import { addressOf } from '../../network/addresses.ts'

const [compressBrotli, compressGzip] = [promisify(brotliCompress), promisify(gzip)]
/** 100 KB take 2 ms, and the result is 2 % larger than with the best quality, which takes 100 ms. */
const BROTLI_QUALITY = 5
/** Compressing a smaller body saves nothing. */
const MIN_COMPRESSED_BYTES = 1_024

/** Accepts Brotli with the quality 1: no other encoding has a higher one. */
const LIKES_BROTLI = /(^|,)\s*br\s*(,|$)/i

/** Browsers revalidate at each use, and get 304 while the page is the same. */
export const REVALIDATE = 'public, max-age=0'
/** For files whose name changes with their content. */
export const CACHE_FOR_A_YEAR = 'public, max-age=31536000, immutable'

/** The types of files of text, by extension. */
export const CONTENT_TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.xml': 'application/xml',
  '.json': 'application/json',
  '.md': 'text/markdown',
  '.txt': 'text/plain',
}

type Encoding = 'br' | 'gzip' | 'identity'
export type StaticResponse = {
  type: string
  hash: string
  bodies: Partial<Record<Encoding, Buffer>> & { identity: Buffer }
}

export async function createStaticResponse(
  type: string,
  content: string | Buffer,
  isCompressible = true,
): Promise<StaticResponse> {
  const identity = Buffer.from(content)
  const hash = createHash('sha256').update(identity).digest('base64url').slice(0, 22)
  if (!isCompressible || identity.length < MIN_COMPRESSED_BYTES) return { type, hash, bodies: { identity } }
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: identity.length,
  }
  const [br, zipped] = await Promise.all([compressBrotli(identity, { params }), compressGzip(identity)])
  return { type, hash, bodies: { br, gzip: zipped, identity } }
}

/**
 * Sends stored bytes for GET and HEAD in an encoding that the client accepts, or 304 (RFC 9110, section
 * 13.1.2).
 */
export function sendStatic(
  stored: StaticResponse | (() => Promise<StaticResponse>),
  cacheControl: string,
  budget: ByteBudget,
): RequestHandler {
  return async (req, res, next) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') return next()
    const { type, hash, bodies } = typeof stored === 'function' ? await stored() : stored
    const encodings = Object.keys(bodies) as Encoding[]
    // Browsers accept both, gzip first in their list. A client that accepts none still gets the plain bytes (RFC 9110,
    // section 12.5.3).
    const hasBrotli = bodies.br !== undefined && LIKES_BROTLI.test(req.get('Accept-Encoding') ?? '')
    const encoding = hasBrotli ? 'br' : ((req.acceptsEncodings(encodings) || 'identity') as Encoding)
    const body = bodies[encoding]!
    res.set({
      'Cache-Control': cacheControl,
      ETag: encoding === 'identity' ? `"${hash}"` : `"${hash}-${encoding}"`,
    })
    if (encodings.length > 1) res.set('Vary', 'Accept-Encoding')
    if (req.fresh) return void res.status(304).end()
    if (req.method === 'GET') budget.take(body.length, addressOf(req))
    if (encoding !== 'identity') res.set('Content-Encoding', encoding)
    res.type(type).send(body)
  }
}

const SECOND_MS = 1_000

/** The part of the budget that one address may use. */
const ADDRESS_SHARE = 1 / 8

/** `take` refuses the request if its address, or all together, have used up this second. */
export type ByteBudget = { take(bytes: number, address: string): void }

/** Limits the bytes per second of responses to clients without credentials. */
export function createByteBudget(bytesPerSecond: number): ByteBudget {
  const ofAddress = createWindowCounter(SECOND_MS)
  let left = 0
  let endsAtMs = -Infinity
  return {
    take: (bytes, address) => {
      const nowMs = performance.now()
      if (nowMs >= endsAtMs) [left, endsAtMs] = [bytesPerSecond, nowMs + SECOND_MS]
      // The last response may exceed the share, since one response can be longer than that.
      const usedBytes = ofAddress.count(address, bytes) - bytes
      if (usedBytes >= bytesPerSecond * ADDRESS_SHARE)
        throw new Failure('rate_limited', { retryAfterSeconds: 1 })
      if (bytes > left) throw new Failure('unavailable', { retryAfterSeconds: 1 })
      left -= bytes
    },
  }
}
