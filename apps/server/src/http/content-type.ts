import type { RequestHandler } from 'express'
import { longBodyOf } from '../contract/documents.ts'

const BODY_TYPES = new Set(['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'])
/** RFC 2046, section 5.1.1. No semicolon: the validator would take what follows it for one more parameter of its own. */
const BOUNDARY = /;\s*boundary=("[\w'()+,./:=? -]{1,70}"|[\w'()+,./:=?-]{1,70})/i

/** Stands for no type, or one that the service does not read. No operation takes it. */
export const NOT_READ = 'application/octet-stream'

/**
 * Leaves one of six spellings of `Content-Type`. The validator compiles and keeps a validator for each distinct value it meets,
 * so that a caller could fill the memory with them (TOOLS section 2.1).
 */
export const normalizeContentType: RequestHandler = (req, _res, next) => {
  const { headers } = req
  const given = headers['content-type']
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  if (!hasBody || req.method === 'GET') {
    delete headers['content-type']
    return next()
  }
  const type = given?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (BODY_TYPES.has(type) || type === longBodyOf(req)?.type) {
    const boundary = type === 'multipart/form-data' ? (BOUNDARY.exec(given!)?.[0] ?? '') : ''
    headers['content-type'] = type + boundary
  } else {
    headers['content-type'] = NOT_READ
  }
  next()
}
