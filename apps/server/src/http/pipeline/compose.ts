// Composes middleware into one, and calls the functions in turn as Express does: each one runs when the one
// before it calls `next()`, and an error that it throws, rejects with or passes to `next(error)` goes to the
// error handlers.
//
// Example: `app.use(compose(logRequests, [readBody, acquireSlot]))` behaves as `app.use(logRequests,
// readBody, acquireSlot)`.
//
// Why: Express compares the path of each request with each middleware of `app.use`, which costs more than
// most of these functions do (`PERFORMANCE.md`).
//
// Guarantees: the order is the order of the arguments; after an error, no further function of the list runs.
// None runs either when the response was sent or its client went away: what the function acquires until the
// response closes, such as a slot, would never be released.
import type { NextFunction, RequestHandler } from 'express'

export function compose(...handlers: (RequestHandler | RequestHandler[])[]): RequestHandler {
  const list = handlers.flat()
  return (req, res, done) => {
    let index = 0
    const callNext: NextFunction = (reason?: unknown) => {
      if (!reason && (res.headersSent || res.closed)) return
      const handler = reason ? undefined : list[index++]
      if (!handler) return done(reason)
      try {
        const result: unknown = handler(req, res, callNext)
        if (result instanceof Promise) result.catch(callNext)
      } catch (thrown) {
        callNext(thrown)
      }
    }
    callNext()
  }
}
