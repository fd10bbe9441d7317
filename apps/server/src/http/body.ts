import express, { type RequestHandler } from 'express'
import multer, { MulterError } from 'multer'
import { Failure } from '../failure.ts'
import { NOT_READ } from './content-type.ts'
import { headerValues } from './header-values.ts'

const MOST_BYTES = 16 * 1024
const MOST_FIELDS = 20

const json = express.json({ limit: MOST_BYTES, strict: false })
const urlencoded = express.urlencoded({ limit: MOST_BYTES, extended: false, parameterLimit: MOST_FIELDS })
const parts = multer({
  limits: { fieldNameSize: 100, fieldSize: MOST_BYTES, fields: MOST_FIELDS, files: 0, parts: MOST_FIELDS, headerPairs: 20 },
}).none()

const tooLarge = () => new Failure('payload_too_large', { message: 'The body is larger than 16 KiB' })

/** multer bounds each part and their number, not the sum; and a chunked body announces no length. */
const multipart: RequestHandler = (req, res, next) => {
  let bytes = 0
  let isSettled = false
  const settle = (error?: unknown) => {
    if (isSettled) return
    isSettled = true
    next(error)
  }
  const count = (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > MOST_BYTES) settle(tooLarge())
  }
  req.on('data', count)
  void parts(req, res, settle)
}

type ParserError = { type?: string; status?: number }

/** What a parser says, in our words. */
export function toUnreadable(error: Error & ParserError): Failure {
  if (error instanceof Failure) return error
  if (error instanceof MulterError && (error.code === 'LIMIT_UNEXPECTED_FILE' || error.code === 'LIMIT_FILE_COUNT'))
    return new Failure('malformed_request', { message: 'A file was sent where a text field is expected' })
  const isTooLarge = error instanceof MulterError || error.type === 'entity.too.large' || error.type === 'parameters.too.many'
  if (isTooLarge) return new Failure('payload_too_large', { cause: error })
  if (error.status === 415)
    return new Failure('unsupported_media_type', { message: 'The Content-Encoding or charset is not supported here' })
  return new Failure('malformed_request', { message: 'The body cannot be read', cause: error })
}

/** A field or query parameter given twice leaves two readings of one request. */
const refuseRepeatedFields: RequestHandler = (req, _res, next) => {
  const form: Record<string, unknown> = req.headers['content-type'] === 'application/json' ? {} : (req.body ?? {})
  // Express would parse it again each time that somebody looks.
  Object.defineProperty(req, 'query', { value: req.query, writable: true, configurable: true, enumerable: true })
  const repeated = [...Object.values(req.query), ...Object.values(form)].some(Array.isArray)
  if (repeated) throw new Failure('malformed_request', { message: 'A field or parameter was given more than once' })
  next()
}

const text = express.text({ limit: MOST_BYTES, type: () => true })
/** Clients send these without a type where an operation takes no body. */
const EMPTY_JSON = new Set(['{}', 'null'])

/** A body of no type, or of one that is not read, may only say nothing. In chunks it may turn out to be empty, and then there is none. */
const nothing: RequestHandler = (req, res, next) => {
  // As it was sent: `headers` no longer says.
  const isTyped = headerValues(req, 'content-type').length > 0
  text(req, res, (fault?: unknown) => {
    const sent = typeof req.body === 'string' ? req.body.trim() : ''
    req.body = undefined
    if (sent === '') delete req.headers['content-type']
    const saysNothing = sent === '' || (!isTyped && EMPTY_JSON.has(sent))
    next(fault ?? (saysNothing ? undefined : new Failure('unsupported_media_type')))
  })
}

/** Some clients send white space where an operation takes no body. */
const jsonOrNothing: RequestHandler = (req, res, next) => {
  json(req, res, (fault?: { type?: string; body?: string }) => {
    const isBlank = fault?.type === 'entity.parse.failed' && fault.body?.trim() === ''
    if (isBlank) req.body = {}
    next(isBlank ? undefined : fault)
  })
}

const PARSERS = new Map([
  ['application/json', jsonOrNothing],
  ['application/x-www-form-urlencoded', urlencoded],
  ['multipart/form-data', multipart],
  [NOT_READ, nothing],
])

/** Where `normalizeContentType` has left no type, there is nothing to read; a long body is read later. */
const parseIfAny: RequestHandler = (req, res, next) => {
  const parse = PARSERS.get(req.headers['content-type']?.split(';', 1)[0] ?? '')
  if (!parse) return next()
  if (Number(req.headers['content-length'] ?? 0) > MOST_BYTES) throw tooLarge()
  return parse(req, res, (fault?: unknown) => next(fault && toUnreadable(fault as Error)))
}

/** Reads the three forms a body may have. GET has none: what comes with it is not read. */
export const readBody: RequestHandler[] = [parseIfAny, refuseRepeatedFields]
