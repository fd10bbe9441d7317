import { pipeline } from 'node:stream/promises'
import type { OperationId } from '@tiwala/contract'
import type { Request, RequestHandler, Response } from 'express'
import type { BodyReply, StreamReply } from '../operation.ts'

/**
 * Installed beneath the validator, which checks a body when it is given to `res.json`: the body that passes is held here,
 * so that what can be done only once is done after the check and before the first byte.
 */
export const captureValidatedBody: RequestHandler = (_req, res, next) => {
  const hold = (body: unknown) => {
    res.locals['validBody'] = body
    return res
  }
  res.json = hold
  res.locals['hold'] = hold
  next()
}

/** The one place that writes a success. */
export async function send(req: Request, res: Response, reply: BodyReply<OperationId>): Promise<void> {
  // Its time is over, and it was told so: nothing is used up for it.
  if (res.headersSent) return
  const { hold } = res.locals
  if (!hold || res.json === hold) throw new Error('Nobody holds this answer back, or nobody checks it.')
  res.statusCode = reply.status
  res.setHeader('Content-Type', 'application/json; charset=utf-8')
  res.json(reply.body)
  // Refused: the validator has handed its error on already.
  if (res.locals['validBody'] === undefined) return
  // Nobody is there to receive what could be received only once.
  if (req.socket.destroyed) return
  await reply.commit?.()
  if (res.headersSent) return
  // Only now: until the commit the reply may still become a refusal, which carries no header of the success.
  for (const [name, value] of Object.entries(reply.headers ?? {})) res.setHeader(name, value)
  // Express would make a buffer of it, and so two writes of head and body.
  res.end(JSON.stringify(reply.body))
}

/** Server-sent events (WHATWG HTML, section 9.2). What is wrong before the first byte is told by the operation's own refusal. */
export async function sendStream(res: Response, { status, stream }: StreamReply): Promise<void> {
  res.status(status).set({ 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' }).flushHeaders()
  // A client that goes away ends the stream; that is how each of them ends.
  await pipeline(stream, res).catch(() => {})
}
