import { type DocumentName, type OperationId, routes } from '@tiwala/contract'
import { resolve } from '@tiwala/contract/references'
import { documents } from '../contract-check/documents.ts'

/** The parts of a JSON schema that these tests read. */
export type Schema = {
  $ref?: string
  type?: string | string[]
  minimum?: number
  maximum?: number
  const?: unknown
  enum?: unknown[]
  properties?: Record<string, Schema>
  allOf?: Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
}
export type Place = 'query' | 'path' | 'header' | 'body'
/** One value of a request. The `name` of a nested field has dots: `profile.country_id`. */
export type RequestField = { id: OperationId; place: Place; name: string; schema: Schema }

type Parameter = { $ref?: string; name: string; in: Place; schema: Schema }
type Item = { parameters?: Parameter[]; requestBody?: { content: Record<string, { schema: Schema }> } }

export const typesOf = ({ type }: Schema): string[] => [type ?? []].flat()

/**
 * Every parameter of every operation, and every field of a JSON body that is not an object, but not
 * `traceparent`: all operations have it, and `http/traces.both-engines.slow.test.ts` tests it.
 */
export const REQUEST_FIELDS: RequestField[] = (Object.keys(documents) as DocumentName[]).flatMap((name) => {
  const items = documents[name].paths as unknown as Record<string, Item & Record<string, Item>>
  const operations = Object.entries(routes[name] as Record<string, { method: string; path: string }>)
  return operations.flatMap(([operationId, { method, path }]) => {
    const id = operationId as OperationId
    const item = items[path]!
    const parameters = [...(item.parameters ?? []), ...(item[method]!.parameters ?? [])]
      .map((parameter) => resolve<Parameter>(documents[name], parameter))
      .filter((parameter) => parameter.name !== 'traceparent')
      .map(({ in: place, name: own, schema }) => ({
        id,
        place,
        name: own,
        schema: resolve<Schema>(documents[name], schema),
      }))
    const body = item[method]!.requestBody?.content['application/json']?.schema
    return [...parameters, ...(body ? fieldsOf(name, id, body, '') : [])]
  })
})

function fieldsOf(document: DocumentName, id: OperationId, unresolved: Schema, name: string): RequestField[] {
  const schema = resolve<Schema>(documents[document], unresolved)
  const choices = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  const within = [
    ...choices.flatMap((choice) => fieldsOf(document, id, choice, name)),
    ...Object.entries(schema.properties ?? {}).flatMap(([key, value]) =>
      fieldsOf(document, id, value, name ? `${name}.${key}` : key),
    ),
  ]
  return within.length || !name ? within : [{ id, place: 'body', name, schema }]
}

/** A copy of the fields with one value changed. Missing parent objects are created. */
export function withField(
  fields: Record<string, unknown> = {},
  name: string,
  value: unknown,
): Record<string, unknown> {
  const [key, ...rest] = name.split('.')
  const inner = fields[key!] as Record<string, unknown> | null | undefined
  return { ...fields, [key!]: rest.length ? withField(inner ?? {}, rest.join('.'), value) : value }
}
