// Partners generate clients from partner-3.0.json. It must be a document that generators understand, and a
// client that follows it must get along with the service.
import SwaggerParser from '@apidevtools/swagger-parser'
import withParameters from '@tiwala/contract/partner-3.0-headers.json' with { type: 'json' }
import { resolve } from '@tiwala/contract/references'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { findBreaks } from '../../../packages/contract/compatibility/compare-documents.ts'
import { sentence } from '../../../packages/contract/compatibility/review.ts'
import { documents } from '../src/contract-check/documents.ts'
import { flatDocument, flatDocument31 } from '../src/contract-check/flat-document.ts'
import { expectNone } from './expect-none.ts'

type Node = Record<string, unknown>

/** Every object of a document with its way. */
function objectsOf(value: unknown, way = ''): [way: string, object: Node][] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.entries(value).flatMap(([key, each]) => objectsOf(each, `${way}/${key}`))
  return Array.isArray(value) ? inner : [[way, value as Node], ...inner]
}
const schemasThat = (is: (schema: Node, way: string) => boolean) =>
  objectsOf(flatDocument)
    .filter(([way, schema]) => !way.endsWith('/properties') && is(schema, way))
    .map(([way]) => way)

test('it is a valid OpenAPI 3.0 document', async () => {
  await expect(SwaggerParser.validate(structuredClone(flatDocument) as never)).resolves.toBeDefined()
  expect(flatDocument['openapi']).toBe('3.0.3')
})

test('generators know every keyword: no const, no variants, no null in an enum', () => {
  expectNone(schemasThat((schema) => ['const', 'oneOf', 'anyOf', 'webhooks'].some((key) => key in schema)))
  expectNone(schemasThat(({ type }) => Array.isArray(type) || type === 'null'))
  expectNone(schemasThat((schema) => (schema['enum'] as unknown[])?.includes(null)))
})

test('every enum is a closed list of texts, and every integer has its width', () => {
  expectNone(schemasThat((schema) => 'enum' in schema && schema['type'] !== 'string'))
  expectNone(schemasThat((schema) => schema['type'] === 'integer' && !schema['format']))
  expectNone(schemasThat((schema, way) => 'enum' in schema && /ErrorCode|\/Event\//.test(way)))
})

test('every object is a component, so that its class has a name', () => {
  const isRoot = /^\/components\/schemas\/\w+$/
  expectNone(schemasThat((schema, way) => 'properties' in schema && !isRoot.test(way)))
})

test.each(Object.entries({ ...documents, flat: flatDocument }))(
  'no two types of %s share a name, in upper or lower case',
  (_, { components }) => {
    const { schemas, responses, parameters } = components as Record<string, Node | undefined>
    const names = [schemas, responses, parameters].flatMap((part) => Object.keys(part ?? {}))
    const taken = names.map((name) => name.toLowerCase())
    expectNone(names.filter((name, index) => taken.indexOf(name.toLowerCase()) !== index))
  },
)

test('no list of values is empty without null, for which generators make an empty list', () => {
  const lists = Object.values({ ...documents, flat: flatDocument }).flatMap((each) => objectsOf(each))
  const isEmpty = (list: unknown) => Array.isArray(list) && list.every((value) => value === null)
  expectNone(lists.filter(([, schema]) => isEmpty(schema['enum'])).map(([way]) => way))
})

const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema(flatDocument31, 'flat')
const faultsOf = (way: string, value: unknown) =>
  ajv.validate({ $ref: `flat#${way}` }, value) ? [] : [`${way}: ${ajv.errorsText()}`]
/** A way as a JSON pointer in a URI. */
const joined = (way: readonly string[]) =>
  way.map((step) => `/${encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')

/** Every object of the flat document with the steps to it. */
function stepsOf(value: unknown, steps: string[] = []): [steps: string[], object: Node][] {
  if (typeof value !== 'object' || value === null) return []
  return [
    [steps, value as Node],
    ...Object.entries(value).flatMap(([key, each]) => stepsOf(each, [...steps, key])),
  ]
}

test('every body has an example that its schema allows, which a mock server returns', () => {
  const bodies = stepsOf(flatDocument).filter(([steps]) => steps.at(-1) === 'application/json')
  expect(bodies.length).toBeGreaterThan(30)
  for (const [steps, { example, examples }] of bodies) {
    const values = Object.values((examples ?? {}) as Record<string, Node>).map(({ value }) => value)
    const all = example === undefined ? values : [example]
    expectNone(all.length === 0 ? [joined(steps)] : [])
    expectNone(all.flatMap((value) => faultsOf(joined([...steps, 'schema']), value)))
  }
})

test('every field has an example that its schema allows, also one that is null in most bodies', () => {
  const isField = (schema: Node) =>
    !schema['$ref'] && !schema['allOf'] && !schema['properties'] && !schema['items']
  const fields = stepsOf(flatDocument.components.schemas).filter(([steps, schema]) =>
    ['properties', 'items'].includes(steps.at(-2) ?? '') || steps.length === 1 ? isField(schema) : false,
  )
  expect(fields.length).toBeGreaterThan(100)
  expect(faultsOf('/components/schemas/Scope', 'OTHER')).toHaveLength(1)
  for (const [steps, { example }] of fields) {
    const way = joined(['components', 'schemas', ...steps])
    expectNone(example === undefined ? [way] : [])
    expectNone(faultsOf(way, example))
  }
})

test('the wrong fields in the example of an error are fields of an operation that gives it', () => {
  for (const [name, document] of Object.entries(documents)) {
    const operations = Object.values(document.paths).flatMap((item) => Object.values(item ?? {})) as Node[]
    const responses = document.components?.responses as unknown as Record<string, Node>
    for (const [response, { content }] of Object.entries(responses)) {
      const { examples } = (content as Record<string, Node>)['application/json']!
      const wrong = Object.values((examples ?? {}) as Record<string, { value: { errors?: Node } }>).flatMap(
        ({ value }) => Object.keys(value.errors ?? {}),
      )
      const givers = operations.filter((each) =>
        JSON.stringify(each['responses'] ?? {}).includes(`#/components/responses/${response}"`),
      )
      const fields = new Set(givers.flatMap((each) => fieldsOf(document, each)))
      expectNone(wrong.filter((field) => !fields.has(field)).map((field) => `${name} ${response}: ${field}`))
    }
  }
})

/** The names of the parameters and of the fields of the bodies of an operation. */
function fieldsOf(document: object, { parameters, requestBody }: Node): string[] {
  const { content } = (requestBody ?? { content: {} }) as { content: Record<string, { schema: object }> }
  const names = ((parameters ?? []) as Node[]).map((each) => String(resolve(document, each)['name']))
  const bodies = Object.values(content).map(({ schema }) => resolve(document, schema) as Node)
  return [...names, ...bodies.flatMap(({ properties }) => Object.keys((properties ?? {}) as Node))]
}

test('no constant of an enum has the name of a type', () => {
  const types = new Set(Object.keys(flatDocument.components.schemas).map((name) => name.toLowerCase()))
  const values = objectsOf(flatDocument).flatMap(([, schema]) => (schema['enum'] ?? []) as string[])
  expectNone(values.filter((value) => types.has(value.replaceAll(/[^a-z]/gi, '').toLowerCase())))
})

test('what the service accepts and sends is what the flat document allows', () => {
  const { partner } = documents
  const { schemas } = flatDocument31.components
  const dataOf = (schema: Node) => (schema['properties'] as Record<string, Node>)['data']!
  // The events, each with the fields of the flat event that it has. All of them are optional.
  expect(schemas['EventData']).not.toHaveProperty('required')
  const webhooks = Object.entries(partner.webhooks!).map(([name, item]) => {
    const { post } = item as { post: Node & { requestBody: { content: { 'application/json': Node } } } }
    const body = post.requestBody.content['application/json']['schema'] as Node
    const own = dataOf(resolve(partner, body))['properties'] ?? {}
    const { properties, ...rest } = schemas['EventData']!
    const fields = Object.entries(properties as Node).filter(([key]) => key in (own as Node))
    const data = { ...rest, properties: Object.fromEntries(fields) }
    const schema = { ...schemas['Event'], properties: { ...(schemas['Event']!['properties'] as Node), data } }
    return [
      name,
      { post: { ...post, requestBody: { required: true, content: { 'application/json': { schema } } } } },
    ]
  })
  const { Event: _, EventData: __, ...others } = schemas
  const flat = comparable({
    ...flatDocument31,
    webhooks: Object.fromEntries(webhooks),
    components: { ...partner.components, ...flatDocument31.components, schemas: others },
  }) as Node
  expectNone(findBreaks(flat, withoutRoles(partner) as Node).map(sentence))
})

const headersOf = (document: Node) =>
  Object.values(document['paths'] as Record<string, Record<string, Node>>).flatMap((item) =>
    Object.values(item).map((operation) => {
      const { security, parameters = [] } = operation as { security?: Node[]; parameters?: Node[] }
      const { securitySchemes } = document['components'] as {
        securitySchemes: Record<string, { name?: string }>
      }
      const required = Object.keys((security ?? (document['security'] as Node[]))[0] ?? {})
      const ofSchemes = required.map((name) => securitySchemes[name]!.name ?? name)
      const credentials = parameters.filter(({ name }) => String(name).startsWith('X-Secret'))
      const ofParameters = credentials.map(
        ({ name, in: place, required: is }) => is && place === 'header' && name,
      )
      return [operation['operationId'], [...ofSchemes, ...ofParameters]]
    }),
  )

test('the variant for tools with one credential header needs the same headers, each as a parameter', async () => {
  await expect(SwaggerParser.validate(structuredClone(withParameters) as never)).resolves.toBeDefined()
  expect(headersOf(withParameters)).toEqual(headersOf(flatDocument))
  const requirements = objectsOf(withParameters).flatMap(([, { security }]) => (security ?? []) as Node[])
  expectNone(requirements.filter((each) => Object.keys(each).length > 1).map((each) => JSON.stringify(each)))
  const { components, paths: _, security: __, ...rest } = withParameters as Node & { components: Node }
  expect(flatDocument).toMatchObject(rest)
  expect(components).toEqual({
    ...flatDocument.components,
    securitySchemes: { accessToken: expect.anything() as unknown },
  })
})

/** OpenAPI 3.0 has no scopes of these security schemes. */
const withoutRoles = (document: unknown): unknown =>
  JSON.parse(
    JSON.stringify(document, (key, value: unknown) =>
      /^(secret|access)Token$/.test(key) && Array.isArray(value) ? [] : value,
    ),
  )

/** Without the width of an integer, which its bounds imply, and with a list in place of narrow bounds. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value !== 'object' || value === null) return value
  const { format, minimum, maximum, ...rest } = value as Node
  if (!/^int\d\d$/.test(String(format)))
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, comparable(inner)]))
  if (Number(maximum) - Number(minimum) > 1) return { ...rest, minimum, maximum }
  const nulls = [rest['type']].flat().includes('null') ? [null] : []
  return { ...rest, enum: [...new Set([minimum, maximum, ...nulls])] }
}
