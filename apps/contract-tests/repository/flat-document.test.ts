// Partners generate clients from partner-3.0.json. It must be a document that generators understand, and a
// client that follows it must get along with the service.
import SwaggerParser from '@apidevtools/swagger-parser'
import { resolve } from '@tiwala/contract/references'
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

test('no two types share a name, in upper or lower case', () => {
  const { schemas, responses } = flatDocument.components
  const names = Object.keys({ ...schemas, ...responses }).map((name) => name.toLowerCase())
  expect(names).toHaveLength(Object.keys(schemas).length + Object.keys(responses).length)
  expect(new Set(names).size).toBe(names.length)
})

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
