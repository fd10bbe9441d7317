// The operations of a site's documents, as their pages show them.
import type { DocumentName } from '@tiwala/contract'
import { describe, withNotice } from './deprecation.ts'
import {
  type Document,
  documents,
  examplesOf,
  follow,
  type Header,
  type Media,
  type OperationObject,
  type Parameter,
  type Response,
} from './documents.ts'
import { type Field, fieldGroup, type FieldGroup } from './fields.ts'
import { resolve, type Schema } from './schema.ts'

export type Operation = {
  id: string
  document: DocumentName
  /** The document's address without a slash at the end, with the base path. */
  server: string
  method: string
  path: string
  spec: OperationObject
}

export const operationsOf = (all: ReadonlyMap<DocumentName, Document>): Operation[] =>
  [...all].flatMap(([document, { servers, paths }]) =>
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, spec]) => ({
        id: spec.operationId,
        document,
        server: servers[0]!.url.replace(/\/$/, ''),
        method: method.toUpperCase(),
        path,
        spec: withNotice(spec),
      })),
    ),
  )

export const operations = operationsOf(documents)

export const documentOf = ({ document }: Operation): Document => documents.get(document)!

export type Body = { types: string[]; groups: FieldGroup[]; examples: ReturnType<typeof examplesOf> }

/** The bodies of a request or a response. Media types with the same schema are one body. */
export function bodiesOf(content: Record<string, Media>, document: Document, id: string): Body[] {
  const bySchema = Map.groupBy(Object.entries(content), ([, { schema }]) => JSON.stringify(schema))
  return [...bySchema.values()].map((entries, index) => {
    const media = entries[0]![1]
    const examples = examplesOf(media, document)
    const values = examples.map(({ value }) => value)
    const { schemas } = document.components
    const bodyId = index ? `${id}-${index}` : id
    // A body has no name of its own beside its heading.
    const groups = [{ ...fieldGroup(media.schema, schemas, values, bodyId), title: '' }]
    const item = media['x-item-schema']
    if (item) groups.push(fieldGroup(item, schemas, itemsOf(values), `${bodyId}-item`))
    return { types: entries.map(([type]) => type), groups, examples }
  })
}

/** What each line, or the `data` of each event, of the bodies is. */
const itemsOf = (bodies: unknown[]): unknown[] =>
  bodies
    .flatMap((body) => String(body).split('\n'))
    .map((line) => line.replace(/^data: /, ''))
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as unknown)

export type Success = { status: string; description: string; headers: Field[]; bodies: Body[] }

/** The answers of a request that the service did not refuse. */
export function successesOf(operation: Operation): Success[] {
  const document = documentOf(operation)
  return Object.entries(operation.spec.responses)
    .filter(([status]) => status < '400')
    .map(([status, reference]) => {
      const { description, headers = {}, content = {} } = follow<Response>(reference, document)
      return {
        status,
        description,
        headers: Object.entries(headers).map(([name, header]) =>
          headerField(name, header, document, `response-${status}`),
        ),
        bodies: bodiesOf(content, document, `response-${status}`),
      }
    })
}

const headerField = (name: string, reference: Header, document: Document, id: string): Field =>
  fieldOf({ name, ...follow<Header>(reference, document) }, document, id)

/** The parameters of an operation or an event, by the place where they stand. */
export function parametersOf({ parameters = [] }: OperationObject, document: Document) {
  const all = parameters.map((each) => follow<Parameter>(each as Parameter, document))
  return (['path', 'query', 'header'] as const)
    .map((place) => ({
      place,
      fields: all.filter((each) => each.in === place).map((each) => fieldOf(each, document, place)),
    }))
    .filter(({ fields }) => fields.length)
}

/** A parameter or a header is a field of an object that has only this field. */
function fieldOf(
  { name, description, schema, required = false, example, ...part }: Omit<Parameter, 'in'>,
  { components: { schemas } }: Document,
  id: string,
): Field {
  const resolved = resolve(schema, schemas)
  const property: Schema = {
    ...resolved,
    description: describe(part, description ?? resolved.description ?? ''),
  }
  const object: Schema = { properties: { [name]: property }, required: required ? [name] : [] }
  return fieldGroup(object, schemas, [{ [name]: example }], id).fields[0]!
}
