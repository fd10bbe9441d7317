import { type DocumentName, routes } from '@tiwala/contract'
import citizenApp from '@tiwala/contract/citizen-app.json' with { type: 'json' }
import operator from '@tiwala/contract/operator.json' with { type: 'json' }
import partner from '@tiwala/contract/partner.json' with { type: 'json' }
import type { RequestHandler } from 'express'
import { middleware } from 'express-openapi-validator'
import { operations } from '../operations.ts'
import type { SecurityHandler } from './callers.ts'

type Document = typeof partner | typeof citizenApp | typeof operator
type Validator = Parameters<typeof middleware>[0]

export const documents: Record<DocumentName, Document> = { partner, 'citizen-app': citizenApp, operator }

/** Under which path a document's operations live on this server. */
export const basePathOf = (name: DocumentName) => new URL(documents[name].servers[0]!.url).pathname.replace(/\/$/, '')

/** Holds a document against every request and every answer. The only file that knows express-openapi-validator's settings. */
export function holdToContract(name: DocumentName, handlers: Record<string, SecurityHandler>): RequestHandler[] {
  const document = withoutRefusals(structuredClone(documents[name]))
  for (const scheme of Object.keys(document.components.securitySchemes)) {
    if (!handlers[scheme]) throw new Error(`The ${name} document has a security scheme without a handler: ${scheme}`)
  }
  for (const operationId of Object.keys(routes[name])) {
    if (!Object.hasOwn(operations, operationId)) throw new Error(`The ${name} document has an operation without a function: ${operationId}`)
  }
  return middleware({
    apiSpec: { ...document, servers: [{ url: basePathOf(name) || '/' }] } as unknown as NonNullable<Validator['apiSpec']>,
    validateRequests: { allErrors: true },
    validateResponses: true,
    validateSecurity: { handlers: handlers as never },
    fileUploader: false,
  }) as unknown as RequestHandler[]
}

/** Refusals are written by one typed builder and never pass the validator: without their schemas it is ready in half the time. */
function withoutRefusals(document: Document): Document {
  for (const item of Object.values(document.paths) as Record<string, { responses: Record<string, unknown> }>[]) {
    for (const operation of Object.values(item)) {
      operation.responses = Object.fromEntries(Object.entries(operation.responses).filter(([status]) => status.startsWith('2')))
    }
  }
  return document
}
