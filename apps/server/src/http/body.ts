import express, { type ErrorRequestHandler, type RequestHandler } from 'express'
import multer, { MulterError } from 'multer'
import { Failure } from './failure.ts'

const MOST_BYTES = 16 * 1024
const MOST_FIELDS = 20

const json = express.json({ limit: MOST_BYTES, strict: false })
const urlencoded = express.urlencoded({ limit: MOST_BYTES, extended: false, parameterLimit: MOST_FIELDS })
const multipart = multer({ limits: { fieldNameSize: 100, fieldSize: MOST_BYTES, fields: MOST_FIELDS, files: 0, parts: MOST_FIELDS, headerPairs: 20 } }).none()

/** Reads the three forms a body may have. GET has none: what comes with it is not read. */
export const readBody: (RequestHandler | ErrorRequestHandler)[] = [refuseLargeBody, json, urlencoded, multipart, refuseUnreadable, refuseRepeatedFields]

function refuseLargeBody(...[req, , next]: Parameters<RequestHandler>): void {
  if (Number(req.headers['content-length'] ?? 0) > MOST_BYTES) throw new Failure('payload_too_large', { message: 'The body is larger than 16 KiB' })
  next()
}

function refuseUnreadable(...[error, , , next]: Parameters<ErrorRequestHandler>): void {
  if (error instanceof Failure) return next(error)
  if (error instanceof MulterError && error.code === 'LIMIT_UNEXPECTED_FILE')
    return next(new Failure('malformed_request', { message: 'A file was sent where a text field is expected' }))
  const tooLarge = error instanceof MulterError || error.type === 'entity.too.large' || error.type === 'parameters.too.many'
  if (tooLarge) return next(new Failure('payload_too_large', { cause: error }))
  if (error.status === 415) return next(new Failure('unsupported_media_type', { message: 'The Content-Encoding or charset is not supported here' }))
  next(new Failure('malformed_request', { message: 'The body cannot be read', cause: error }))
}

/** A field or query parameter given twice leaves two readings of one request. */
function refuseRepeatedFields(...[req, , next]: Parameters<RequestHandler>): void {
  const fromForm = !req.is('application/json')
  const repeated = [req.query, fromForm ? (req.body ?? {}) : {}].flatMap((fields) => Object.keys(fields).filter((name) => Array.isArray(fields[name])))
  if (repeated.length) throw new Failure('malformed_request', { message: 'A field or parameter was given more than once' })
  next()
}
