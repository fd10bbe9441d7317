import type { DocumentName } from '@tiwala/contract'
import type { RequestHandler } from 'express'
import { documents, operationsOf } from '../../contract/documents.ts'

/**
 * Sets the headers `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) on every response of a deprecated operation of these
 * documents. It runs before the steps that refuse requests: the validator, which knows the operation, is too late for
 * a body that is too large. The linter checks the dates, and that one path matches a request.
 */
export function announceDeprecation(names: readonly DocumentName[]): RequestHandler {
  const deprecated = names.flatMap((name) =>
    operationsOf(documents[name]).flatMap(({ method, pattern, operation }) => {
      if (!operation.deprecated) return []
      const { 'x-deprecated-at': from, 'x-sunset': to } = operation
      const headers = { Deprecation: `@${Date.parse(from) / 1000}`, Sunset: new Date(to).toUTCString() }
      return { method, pattern, headers }
    }),
  )
  return (req, res, next) => {
    const operation = deprecated.find(
      ({ method, pattern }) => method === req.method && pattern.test(req.path),
    )
    if (operation) res.set(operation.headers)
    next()
  }
}
