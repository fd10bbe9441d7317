// Sends successful responses. A single-use effect (use up a code, record a disclosure) happens after the
// response is known to be valid and before its first byte, so that an invalid response or a lost client never
// burns a code.
//
// How: `res.json` is replaced twice. `captureValidatedBody` runs before the validator and installs a
// `res.json` that only stores the body. The validator then installs its own `res.json`, which checks the body
// and calls the stored one if the body is valid, or passes an error to `next` if it is not.
//
// States of a response in `send`:
// 1. validated: `res.json(body)` runs the check. An invalid body ends here, with 500.
// 2. client present: if the connection is closed, `send` ends here.
// 3. committed: `commit` runs. It may throw a refusal, for example 422 if another request used the code
//    first.
// 4. sent: headers and body are written together, unless the deadline passed during the commit and 503 was
//    sent.
//
// Guarantees: no commit without a valid body; no byte of a success before its commit. If either `res.json` is
// missing, `send` throws instead of sending a body that is not checked.
import { pipeline } from 'node:stream/promises'
import type { OperationId } from '@tiwala/contract'
import type { Request, RequestHandler, Response } from 'express'
import type { Database } from '../../database/connect.ts'
import type { BodyReply, StreamReply } from '../../operation.ts'

export const captureValidatedBody: RequestHandler = (_req, res, next) => {
  const capture = (body: unknown) => {
    res.locals['validatedBody'] = body
    return res
  }
  res.json = capture
  res.locals['capture'] = capture
  next()
}

/**
 * express-openapi-validator compiles the responses of an operation once more for each type of request body, although they
 * are the same, and keeps a quarter of a MiB each time. So it must not see the type.
 */
export function validateBody({ headers }: Request, res: Response, body: unknown): void {
  const type = headers['content-type']
  headers['content-type'] = undefined
  res.json(body)
  headers['content-type'] = type
}

/** The only function that writes a successful response with a body. */
export async function send(
  req: Request,
  res: Response,
  reply: BodyReply<OperationId>,
  db: Database,
): Promise<void> {
  // The deadline has passed and 503 was sent, so nothing may be committed.
  if (res.headersSent) return
  const { capture } = res.locals
  if (!capture || res.json === capture) throw new Error('Response validation middleware is missing.')
  res.statusCode = reply.status
  res.setHeader('Content-Type', 'application/json; charset=utf-8')
  validateBody(req, res, reply.body)
  // Invalid: the validator has already passed its error to `next`.
  if (res.locals['validatedBody'] === undefined) return
  // The client has gone, and could not receive a single-use value.
  if (req.socket.destroyed) return
  await reply.commit?.(db)
  if (res.headersSent) return
  // Set after the commit: if the commit throws, the error response must not have headers of the success.
  for (const [name, value] of Object.entries(reply.headers ?? {})) res.setHeader(name, value)
  // `res.send` would make a Buffer of the body, and then headers and body are two writes.
  res.end(JSON.stringify(reply.body))
}

/**
 * Sends server-sent events (WHATWG HTML, section 9.2). An operation that refuses throws before it returns the
 * stream.
 */
export async function sendStream(res: Response, { status, stream }: StreamReply): Promise<void> {
  res.status(status).set({ 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' }).flushHeaders()
  // A stream usually ends because the client goes away, so that is no error.
  await pipeline(stream, res).catch(() => {})
}
