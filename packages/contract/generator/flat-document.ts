// Derives partner-3.0.json, from which partners generate clients: the partner document as OpenAPI 3.0.3, with
// one type for all records, one for all errors and one for all events.
import { nameOf, resolve } from '../references.ts'
import { flatEvent, type Webhooks } from './flat-event.ts'
import { addExamples, type Body } from './flat-examples.ts'
import { createFlattener, type Json, toPascalCase } from './flat-schemas.ts'

type Objects = Record<string, Json>
type Section = 'schemas' | 'parameters' | 'headers' | 'responses' | 'securitySchemes'
export type Document = {
  info: { title: string; version: string; contact?: Json; license: { name: string } }
  servers: readonly Json[]
  tags: unknown
  security: unknown
  paths: Record<string, Objects>
  webhooks: Webhooks
  components: Record<Section, Objects>
}
type Content = {
  'application/json'?: { schema: Json; example?: unknown; examples?: Objects }
}

/**
 * A header parameter that generated clients and samples leave out. Tools for tracing add the header, and
 * generated methods would get one more argument.
 */
export const ADDED_BY_TRACING = 'traceparent'

const DESCRIPTION = `
This document is for generators of clients. The guide and the reference are at http://localhost:8080/docs.

It is derived from http://localhost:8080/openapi/partner.json, and says less: all records have one schema,
and so have all errors and all events. Requests have a JSON body. The service posts the events (schema
\`Event\`) to you, so they have no operation.
`.trim()

export function flatDocument(document: Document): Json {
  const { info, servers, tags, security, paths, webhooks, components } = document
  const { flatten, components: schemas } = createFlattener({
    ...components.schemas,
    ...flatEvent(webhooks, components.schemas),
  })
  const event = flatten({ $ref: '#/components/schemas/Event' }, 'Event')
  /** The examples of all bodies. */
  const bodies: Body[] = Object.values(webhooks).map(({ post }) => ({
    schema: event,
    value: post.requestBody?.content['application/json']?.example,
  }))

  /** A body that is no component is named after the component in its `data`, or by its title. */
  const nameOfBody = ({ properties, title }: Json) => {
    const { data } = (properties ?? {}) as { data?: Json & { items?: Json } }
    if ((data ?? {}).properties || data?.items?.properties || !(data || title))
      throw new Error('The body has no name. Refer in `data` to a component of schemas, or write a title.')
    const flat = (data ? flatten(data, 'Data') : {}) as { $ref?: string; items?: { $ref?: string } }
    if (flat.$ref) return `${nameOf(flat.$ref)}Response`
    if (flat.items?.$ref) return `${nameOf(flat.items.$ref)}ListResponse`
    return toPascalCase(String(title))
  }
  const flatHeaders = (headers: Objects = {}) =>
    mapped(headers, (header, name) =>
      header.$ref ? header : { ...header, schema: flatten(header.schema as Json, toPascalCase(name)) },
    )
  const flatContent = ({ 'application/json': json }: Content) => {
    if (!json) throw new Error('The body is not application/json. Partners generate clients for JSON only.')
    const schema = flatten(json.schema, json.schema.properties ? nameOfBody(json.schema) : '')
    const { example } = json
    const examples = json.examples && mapped(json.examples, (each) => resolve(document, each))
    for (const value of [example, ...Object.values(examples ?? {}).map((each) => each.value)])
      bodies.push({ schema, value })
    return {
      'application/json': {
        schema,
        ...(example !== undefined && { example }),
        ...(examples && { examples }),
      },
    }
  }
  const flatResponse = (response: Json) =>
    response.$ref
      ? response
      : {
          ...response,
          headers: flatHeaders(response.headers as Objects),
          ...(response.content !== undefined && { content: flatContent(response.content as Content) }),
        }
  const flatParameter = (parameter: Json): Json => {
    const own = resolve(document, parameter)
    return { ...own, schema: flatten(own.schema as Json, toPascalCase(own.name as string)) }
  }
  const flatOperation = ({ parameters, requestBody, responses, ...rest }: Json) => ({
    ...withoutNewParts(rest),
    ...(parameters !== undefined && {
      parameters: (parameters as Json[]).map(flatParameter).filter(({ name }) => name !== ADDED_BY_TRACING),
    }),
    ...(requestBody !== undefined && {
      requestBody: { required: true, content: flatContent((requestBody as { content: Content }).content) },
    }),
    responses: mapped(responses as Objects, flatResponse),
  })

  const flat = {
    openapi: '3.0.3',
    info: {
      title: info.title,
      version: info.version,
      ...(info.contact && { contact: info.contact }),
      license: { name: info.license.name },
      description: DESCRIPTION,
    },
    servers: allServers(servers, paths),
    tags,
    security,
    paths: mapped(paths, (item) =>
      mapped(item, (operation) => within(operation, () => flatOperation(operation))),
    ),
    components: {
      securitySchemes: components.securitySchemes,
      headers: flatHeaders(components.headers),
      responses: mapped(components.responses, flatResponse),
      schemas,
    },
  }
  addExamples(schemas, bodies)
  return flat
}

/** Generated clients would ignore their base URL for an operation with a server of its own. */
function allServers(servers: readonly Json[], paths: Document['paths']): Json[] {
  const own = Object.values(paths).flatMap((item) =>
    Object.values(item).flatMap((operation) => (operation.servers ?? []) as Json[]),
  )
  return [...new Map([...servers, ...own].map((server) => [server.description, server])).values()]
}

/** In OpenAPI 3.0, only OAuth has scopes in `security`. People read the others in the description. */
function withoutNewParts(operation: Json): Json {
  const { security, description, servers: _, ...rest } = operation
  const requirements = (security ?? []) as Record<string, string[]>[]
  const scopes = requirements.flatMap((requirement) => Object.values(requirement).flat())
  return {
    ...rest,
    description: [description, ...scopes.map((scope) => `Needs the scope \`${scope}\`.`)].join('\n\n'),
    ...(security !== undefined && {
      security: requirements.map((requirement) => mapped(requirement, (): string[] => [])),
    }),
  }
}

/** An error names the operation, after which its file is named. */
export function within<T>({ operationId }: Json, derive: () => T): T {
  try {
    return derive()
  } catch (error) {
    throw Object.assign(error as Error, { operationId })
  }
}

const mapped = <T, R>(object: Record<string, T>, map: (value: T, key: string) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]))
