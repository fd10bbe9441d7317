import type { RequestHandler } from 'express'
import { Failure } from './failure.ts'

const CREDENTIAL_HEADERS = ['x-secret-code', 'x-secret-token', 'authorization']

/** Node joins or drops repeated headers; which of two credentials counts must not depend on that. */
export const refuseRepeatedCredentials: RequestHandler = (req, _res, next) => {
  const names = req.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase())
  for (const header of CREDENTIAL_HEADERS) {
    if (names.indexOf(header) !== names.lastIndexOf(header)) throw new Failure('malformed_request', { message: `The header ${header} was given more than once` })
  }
  next()
}

export const refuseOtherThanJson: RequestHandler = (req, _res, next) => {
  if (!req.accepts('application/json')) throw new Failure('not_acceptable')
  next()
}
