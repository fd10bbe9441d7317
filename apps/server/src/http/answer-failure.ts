import type { ErrorRequestHandler, Request } from 'express'
import { error as validator } from 'express-openapi-validator'
import { isDatabaseUnavailable } from '../database/unavailable.ts'
import { Failure } from './failure.ts'

/** The one place that turns anything thrown into HTTP. */
export const answerFailure: ErrorRequestHandler = (thrown: unknown, req, res, next) => {
  if (res.headersSent) return next(thrown)
  const failure = toFailure(req.refusal ?? thrown, req)
  res.locals['failure'] = failure
  res.status(failure.status).set(failure.headers).type('application/json')
  res.send(JSON.stringify(failure.toBody(String(req.id))))
}

function toFailure(thrown: unknown, req: Request): Failure {
  if (thrown instanceof Failure) return thrown
  if (isDatabaseUnavailable(thrown)) return new Failure('unavailable', { retryAfterSeconds: 2, cause: thrown })
  if (thrown instanceof validator.NotFound) return new Failure('not_found')
  if (thrown instanceof validator.MethodNotAllowed) return new Failure('method_not_allowed', { headers: { Allow: String(thrown.headers?.['Allow'] ?? '') } })
  if (thrown instanceof validator.Unauthorized) return new Failure(hasBearer(req) ? 'token_missing' : 'credentials_missing')
  if (thrown instanceof validator.UnsupportedMediaType && req.headers['content-type']) return new Failure('unsupported_media_type')
  if (thrown instanceof validator.UnsupportedMediaType) return new Failure('validation_failed', { errors: { body: ['is required'] } })
  if (thrown instanceof validator.BadRequest) return new Failure('validation_failed', { errors: fieldErrors(thrown.errors), cause: thrown })
  return new Failure('internal_error', { cause: thrown })
}

const hasBearer = (req: Request) => (req.openapi?.schema.security ?? []).some((schemes) => 'accessToken' in schemes) || !req.openapi?.openApiRoute.startsWith('/api/')

/** `/body/profile/postal` to `profile.postal`: the caller's own names. */
function fieldErrors(errors: { path: string; message: string }[]): Record<string, string[]> {
  const fields: Record<string, string[]> = {}
  for (const { path, message } of errors) {
    const name = path.replace(/^\/(body|query|params|headers)\/?/, '').replaceAll('/', '.') || 'body'
    const known = (fields[name] ??= [])
    if (!known.includes(message)) known.push(message)
  }
  return fields
}
