import { isUtf8 } from 'node:buffer'
import express, { type Request, type RequestHandler } from 'express'
import { longBodyOf } from '../contract/documents.ts'
import { Failure } from '../failure.ts'
import { toUnreadable } from './body.ts'

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
  express.raw({ limit: longBodyOf(req)!.maxBytes, type: () => true })(req, res, (error?: Error) => {
    const bytes = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0)
    req.body = bytes.toString()
    if (error) next(toUnreadable(error))
    else
      next(isUtf8(bytes) ? undefined : new Failure('malformed_request', { message: 'The body is not UTF-8' }))
  })
}
