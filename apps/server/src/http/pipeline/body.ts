import { isUtf8 } from 'node:buffer'
import { finished } from 'node:stream'
import express, { type Request, type RequestHandler } from 'express'
import multer, { MulterError } from 'multer'
import { longBodyOf } from '../../contract/documents.ts'
import { hasRepeatedKey } from '../../contract/repeated-keys.ts'
import { Failure } from '../../failure.ts'
import { hasBody, headerValues, NOT_READ } from './headers.ts'

const MAX_BYTES = 16 * 1024
const MAX_FIELDS = 20

/** Decoding would replace each byte that is not UTF-8 by U+FFFD, and so alter a name. */
const notUtf8 = () => new Failure('malformed_request', { message: 'The body is not UTF-8' })

const utf8 = new TextDecoder()

function checkJson(_req: unknown, _res: unknown, bytes: Buffer): void {
  if (!isUtf8(bytes)) throw notUtf8()
  // Without a byte order mark, as the parser reads it.
  if (hasRepeatedKey(utf8.decode(bytes)))
    throw new Failure('malformed_request', { message: 'An object of the body has a field twice' })
}

const json = express.json({ limit: MAX_BYTES, strict: false, verify: checkJson })
const urlencoded = express.urlencoded({ limit: MAX_BYTES, extended: false, parameterLimit: MAX_FIELDS })
const multipart = multer({
  limits: {
    fieldNameSize: 100,
    fieldSize: MAX_BYTES,
    fields: MAX_FIELDS,
    files: 0,
    parts: MAX_FIELDS,
  },
}).none()

const tooLarge = () => new Failure('payload_too_large', { message: 'The body is larger than 16 KiB' })

/**
 * Limits the bytes that a parser gets. multer counts only parts, and the others what a compressed body contains,
 * which may be nothing.
 */
export const withinBytes =
  (maxBytes: number, parse: RequestHandler, refusal: () => Failure): RequestHandler =>
  (req, res, next) => {
    let bytes = 0
    let isSettled = false
    const settle = (error?: unknown) => {
      if (isSettled) return
      isSettled = true
      next(error)
    }
    req.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > maxBytes) settle(refusal())
    })
    void parse(req, res, settle)
  }

type ParserError = { type?: string; status?: number }

/** The failure for an error of a body parser. */
export function toUnreadable(error: Error & ParserError): Failure {
  if (error instanceof Failure) return error
  if (error instanceof MulterError && error.code === 'LIMIT_FILE_COUNT')
    return new Failure('malformed_request', { message: 'A file was sent where a text field is expected' })
  if (error instanceof MulterError && error.code === 'MISSING_FIELD_NAME')
    return new Failure('malformed_request', { message: 'A part of the body has no name' })
  const isTooLarge =
    error instanceof MulterError || error.type === 'entity.too.large' || error.type === 'parameters.too.many'
  if (isTooLarge) return new Failure('payload_too_large')
  if (error.status === 415)
    return new Failure('unsupported_media_type', {
      message: 'The Content-Encoding or charset is not supported',
    })
  return new Failure('malformed_request', { message: 'The body cannot be read' })
}

/**
 * Programs read a repeated field or query parameter in different ways, so it is refused. So is a query that its
 * parser has altered: it replaces each byte that is not UTF-8 by U+FFFD.
 */
const refuseAmbiguousFields: RequestHandler = (req, _res, next) => {
  const form: Record<string, unknown> =
    req.headers['content-type'] === 'application/json' ? {} : (req.body ?? {})
  // Express would parse the query again at each access. The validator redefines the property as writable. If
  // it is writable already, V8 need not change the shape of the request.
  Object.defineProperty(req, 'query', { value: req.query, writable: true })
  const parameters = Object.values(req.query)
  if ([...parameters, ...Object.values(form)].some(Array.isArray))
    throw new Failure('malformed_request', { message: 'A field or parameter was given more than once' })
  if (parameters.some((value) => typeof value === 'string' && value.includes('\uFFFD')))
    throw new Failure('malformed_request', { message: 'A parameter is not UTF-8' })
  next()
}

const text = express.text({ limit: MAX_BYTES, type: () => true })
/** Some clients send these without a Content-Type to an operation that takes no body. */
const EMPTY_JSON = new Set(['{}', 'null'])

/**
 * A body without a Content-Type, or with one that the service does not read, must be empty. A chunked body
 * may turn out to be empty, and then the request has no body.
 */
const emptyBody: RequestHandler = (req, res, next) => {
  // `normalizeContentType` has changed `headers`, so read what the client sent.
  const isTyped = headerValues(req, 'content-type').length > 0
  text(req, res, (error?: unknown) => {
    const content = typeof req.body === 'string' ? req.body.trim() : ''
    req.body = undefined
    if (content === '') delete req.headers['content-type']
    const isEmpty = content === '' || (!isTyped && EMPTY_JSON.has(content))
    next(error ?? (isEmpty ? undefined : new Failure('unsupported_media_type')))
  })
}

const MAX_IGNORED_BYTES = 64 * 1024

/**
 * The body of a GET request means nothing. It is read to its end, because Node finds out only there whether
 * it is malformed or cut off, and a refused request must not have used anything up.
 */
const ignoreBody = withinBytes(
  MAX_IGNORED_BYTES,
  (req, _res, next) => {
    finished(req.resume(), (error) => {
      next(error ? new Failure('malformed_request', { message: 'The body was cut off' }) : undefined)
    })
  },
  () => new Failure('malformed_request', { message: 'The body of a GET request is larger than 64 KiB' }),
)

/** Some clients send white space to an operation that takes no body. */
const jsonOrBlank: RequestHandler = (req, res, next) => {
  json(req, res, (error?: { type?: string; body?: string }) => {
    const isBlank = error?.type === 'entity.parse.failed' && error.body?.trim() === ''
    if (isBlank) req.body = {}
    next(isBlank ? undefined : error)
  })
}

const PARSERS = new Map([
  ['application/json', jsonOrBlank],
  ['application/x-www-form-urlencoded', urlencoded],
  ['multipart/form-data', multipart],
  [NOT_READ, emptyBody],
])

/**
 * Without a Content-Type (see `normalizeContentType`) there is no body to read. `readLongBody` reads a long
 * body later.
 */
const parseIfAny: RequestHandler = (req, res, next) => {
  if (req.method === 'GET') return hasBody(req) ? ignoreBody(req, res, next) : next()
  const parse = PARSERS.get(req.headers['content-type']?.split(';', 1)[0] ?? '')
  if (!parse) return next()
  const length = req.headers['content-length']
  if (Number(length) > MAX_BYTES) throw tooLarge()
  // A length that is announced cannot be exceeded.
  const bounded = length === undefined ? withinBytes(MAX_BYTES, parse, tooLarge) : parse
  return bounded(req, res, (error?: unknown) => next(error && toUnreadable(error as Error)))
}

/** Reads a body as JSON, form or multipart, and ignores that of a GET request. */
export const readBody: RequestHandler[] = [parseIfAny, refuseAmbiguousFields]

/** Limits the memory: at most this many bodies of the size that the document allows. */
const MAX_AT_ONCE = 4
let inFlight = 0

/** Whether the body is one that the document allows to be longer than others. */
function isLong(req: Request): boolean {
  const type = req.headers['content-type']
  return type !== undefined && type === longBodyOf(req)?.type
}

/**
 * Reads a long body after its sender was authenticated and its scope checked, so that it takes no memory
 * before. Until then `readBody` has no parser for its type, and the validator accepts that it is missing.
 */
export const readLongBody: RequestHandler = (req, res, next) => {
  if (!isLong(req)) {
    next()
    return
  }
  if (inFlight >= MAX_AT_ONCE) throw new Failure('unavailable', { retryAfterSeconds: 5 })
  inFlight++
  res.once('close', () => inFlight--)
  const { maxBytes } = longBodyOf(req)!
  const parse = express.raw({ limit: maxBytes, type: () => true })
  void withinBytes(maxBytes, parse, () => new Failure('payload_too_large'))(req, res, (error?: unknown) => {
    const bytes = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0)
    req.body = bytes.toString()
    if (error) next(toUnreadable(error as Error))
    else next(isUtf8(bytes) ? undefined : notUtf8())
  })
}
