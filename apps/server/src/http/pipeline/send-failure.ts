import type { Schemas } from '@tiwala/contract'
import type { ErrorRequestHandler, Request } from 'express'
import { error as validator } from 'express-openapi-validator'
import { fieldErrors } from '../../contract/field-errors.ts'
import { isDatabaseUnavailable, isUnstorableText } from '../../database/unavailable.ts'
import { Failure, helpLink } from '../../failure.ts'

/** The only function that turns an error into an HTTP response. */
export const createSendFailure =
  (publicUrl: string): ErrorRequestHandler =>
  (thrown: unknown, req, res, next) => {
    if (res.headersSent) return next(thrown)
    const failure = toFailure(req.exchange.refusal ?? thrown, req)
    res.locals['failure'] = failure
    // The credentials ended after they were counted. The response shows no limit of the partner.
    if (failure.code === 'credentials_invalid')
      for (const name of ['RateLimit', 'RateLimit-Policy']) res.removeHeader(name)
    res.status(failure.status).set(failure.toHeaders(publicUrl)).type('application/json')
    res.send(JSON.stringify(failure.toBody(req.exchange.requestId)))
  }

/**
 * Runs if `sendFailure` fails. It also sends JSON without internal details, and calls methods of Node only,
 * none of `Failure`.
 */
export const createSendLastResort =
  (publicUrl: string): ErrorRequestHandler =>
  (thrown: unknown, _req, res, _next) => {
    if (res.headersSent) {
      // The response has started, so cutting the connection is the only way to show the failure. If the
      // response is complete, the connection may already belong to the next request.
      if (!res.writableEnded) res.socket?.destroy()
      return
    }
    const failure = new Failure('internal_error', { cause: thrown })
    res.locals['failure'] = failure
    const { status, message, code } = failure
    const body = { status, message, error: code, request_id: String(res.getHeader('X-Request-Id')) }
    res.statusCode = status
    res.setHeader('Content-Type', 'application/json; charset=utf-8')
    res.setHeader('Cache-Control', 'no-store')
    res.setHeader('Link', helpLink(publicUrl, code))
    res.end(JSON.stringify(body satisfies Schemas['Error']))
  }

function toFailure(thrown: unknown, req: Request): Failure {
  if (thrown instanceof Failure) return thrown
  if (isDatabaseUnavailable(thrown))
    return new Failure('unavailable', { retryAfterSeconds: 2, cause: thrown })
  if (isUnstorableText(thrown))
    return new Failure('malformed_request', { message: 'A value contains the character NUL' })
  if (thrown instanceof validator.NotFound) return new Failure('not_found')
  if (thrown instanceof validator.MethodNotAllowed)
    return new Failure('method_not_allowed', { headers: { Allow: thrown.headers?.['Allow'] ?? '' } })
  // The validator itself refuses only a missing header; everything else is refused by a security handler.
  if (thrown instanceof validator.Unauthorized)
    return new Failure(thrown.message.startsWith('Authorization') ? 'token_missing' : 'credentials_missing')
  if (thrown instanceof validator.UnsupportedMediaType && req.headers['content-type'])
    return new Failure('unsupported_media_type')
  if (thrown instanceof validator.UnsupportedMediaType)
    return new Failure('validation_failed', { errors: { body: ['is required'] } })
  if (thrown instanceof validator.BadRequest)
    return thrown.message.startsWith('malformed uri')
      ? new Failure('malformed_request', { message: 'The path cannot be read' })
      : new Failure('validation_failed', { errors: fieldErrors(thrown.errors) })
  return new Failure('internal_error', { cause: thrown })
}
