import { isUtf8 } from 'node:buffer'
import express, { type Request, type RequestHandler } from 'express'
import { longBodyOf } from '../contract/documents.ts'
import { Failure } from '../failure.ts'
import { toUnreadable } from './body.ts'

/** What bounds the memory: so many bodies of the size that the document allows. */
const MOST_AT_ONCE = 4
let underWay = 0

/** Whether the body is one that the document allows to be longer than others. */
function isLong(req: Request): boolean {
  const type = req.headers['content-type']
  return type !== undefined && type === longBodyOf(req)?.type
}

/** A long body is left unread until it is known who sends it: the service's memory is not for strangers. */
export const deferLongBody: RequestHandler = (req, _res, next) => {
  if (isLong(req)) req.body = ''
  next()
}

/** Reads a long body once its sender has proved to be allowed to send it. */
export const readLongBody: RequestHandler = (req, res, next) => {
  if (!isLong(req)) {
    next()
    return
  }
  if (underWay >= MOST_AT_ONCE) throw new Failure('unavailable', { retryAfterSeconds: 5 })
  underWay++
  res.once('close', () => underWay--)
  express.raw({ limit: longBodyOf(req)!.mostBytes, type: () => true })(req, res, (error?: Error) => {
    const bytes = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0)
    req.body = bytes.toString()
    if (error) next(toUnreadable(error))
    else next(isUtf8(bytes) ? undefined : new Failure('malformed_request', { message: 'The body is not UTF-8' }))
  })
}
