import type { Request, RequestHandler } from 'express'
import { longBodyOf } from '../contract/documents.ts'

const BODY_TYPES = new Set(['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'])
/** RFC 2046, section 5.1.1. No semicolon: the validator would read the text after it as another parameter. */
const BOUNDARY = /;\s*boundary=("[\w'()+,./:=? -]{1,70}"|[\w'()+,./:=?-]{1,70})/i

/** Replaces a missing type and each type that the service does not read. No operation accepts it. */
export const NOT_READ = 'application/octet-stream'

export const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0

/**
 * Reduces `Content-Type` to a few values. express-openapi-validator compiles and keeps a validator for each
 * distinct value, so a client could otherwise fill the memory by sending many distinct values.
 */
export const normalizeContentType: RequestHandler = (req, _res, next) => {
  const { headers } = req
  const contentType = headers['content-type']
  if (!hasBody(req) || req.method === 'GET') {
    delete headers['content-type']
    return next()
  }
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (BODY_TYPES.has(type) || type === longBodyOf(req)?.type) {
    const boundary = type === 'multipart/form-data' ? (BOUNDARY.exec(contentType!)?.[0] ?? '') : ''
    headers['content-type'] = type + boundary
  } else {
    headers['content-type'] = NOT_READ
  }
  next()
}
