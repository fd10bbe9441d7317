import type { NextFunction, RequestHandler } from 'express'

/**
 * Handlers as one: called in turn, as Express calls them; what one throws or rejects goes to the error handlers. Express itself would
 * compare the path anew for each of them, which costs more than most of them do.
 */
export function compose(...handlers: (RequestHandler | RequestHandler[])[]): RequestHandler {
  const all = handlers.flat()
  return (req, res, done) => {
    let turn = 0
    const proceed: NextFunction = (fault?: unknown) => {
      const handler = fault ? undefined : all[turn++]
      if (!handler) return done(fault)
      try {
        const answered: unknown = handler(req, res, proceed)
        if (answered instanceof Promise) answered.catch(proceed)
      } catch (thrown) {
        proceed(thrown)
      }
    }
    proceed()
  }
}
