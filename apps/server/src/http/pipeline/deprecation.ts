import type { DocumentName } from '@tiwala/contract'
import type { RequestHandler } from 'express'
import { basePathOf, documents } from '../../contract/documents.ts'

type Operation = { deprecated?: boolean; 'x-deprecated-at': string; 'x-sunset': string }

/**
 * Sets the headers `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) on every response of a deprecated operation of these
 * documents. It runs before the steps that refuse requests: the validator, which knows the operation, is too late for
 * a body that is too large. The linter checks the dates, and that one path matches a request.
 */
export function announceDeprecation(names: readonly DocumentName[]): RequestHandler {
  const deprecated = names.flatMap((name) =>
    Object.entries<Record<string, object>>(documents[name].paths).flatMap(([path, item]) =>
      Object.entries(item as Record<string, Operation>).flatMap(([method, operation]) => {
        if (!operation.deprecated) return []
        const { 'x-deprecated-at': from, 'x-sunset': to } = operation
        return {
          method: method.toUpperCase(),
          path: new RegExp(`^${basePathOf(name)}${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
          headers: { Deprecation: `@${Date.parse(from) / 1000}`, Sunset: new Date(to).toUTCString() },
        }
      }),
    ),
  )
  return (req, res, next) => {
    const operation = deprecated.find(({ method, path }) => method === req.method && path.test(req.path))
    if (operation) res.set(operation.headers)
    next()
  }
}
