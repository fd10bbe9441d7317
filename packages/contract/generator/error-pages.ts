// Generates errors.json: the catalogue of error codes, with the operations that document each code.
import { resolve } from '../references.ts'
import { type Catalogue, exampleBody } from './error-catalogue.ts'

type Operation = { operationId: string; responses: Record<string, object> }
type ErrorResponse = {
  content: {
    'application/json': { schema: { allOf: [unknown, { properties: { error: { enum: string[] } } }] } }
  }
}
type Document = { paths: Record<string, Record<string, Operation>> }

export function errorsJson(catalogue: Catalogue, documents: unknown[]): string {
  const documented = (documents as Document[]).flatMap(documentedCodes)
  const entries = Object.entries(catalogue).map(([code, entry]) => {
    const operations = documented.flatMap(([each, operationId]) => (each === code ? operationId : []))
    return [code, { headers: {}, ...entry, example: exampleBody(code, entry), operations }]
  })
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`
}

/** Each error code that an operation documents, with the operation. */
function documentedCodes(document: Document): [code: string, operationId: string][] {
  const operations = Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .filter(({ operationId }) => operationId)
  return operations.flatMap(({ operationId, responses }) =>
    Object.entries(responses).flatMap(([status, response]) => {
      if (Number(status) < 400 || !('$ref' in response)) return []
      const { content } = resolve(document, response) as unknown as ErrorResponse
      const codes = content['application/json'].schema.allOf[1].properties.error.enum
      return codes.map((code): [string, string] => [code, operationId])
    }),
  )
}
