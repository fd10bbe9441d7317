// The comparison of documents must answer for every legal document, also for those that ours are not like:
// recursive, with every keyword, with references in odd places. Fields have names that JavaScript objects have.
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findBreaks } from '../../../packages/contract/compatibility/compare-documents.ts'
import { sentence } from '../../../packages/contract/compatibility/review.ts'

type Json = Record<string, unknown>

const NAMES = ['A', 'B', 'C']
const name = fc.constantFrom('id', 'type', 'description', 'properties', 'constructor', '__proto__', '$ref')
const ref = fc.constantFrom(
  ...NAMES.map((each) => ({ $ref: `#/components/schemas/${each}` })),
  { $ref: '#/components/schemas/A/properties/id' },
  { $ref: '#/components/schemas/B/$defs/id' },
  { $ref: '#/paths/~1things/post/requestBody/content/application~1json/schema' },
  { $ref: '#anchor' },
  { $ref: '#/components/schemas/%FF' },
)
const type = fc.constantFrom('string', 'integer', 'number', 'object', 'array', 'boolean', 'null')
const types = fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 }))
const value = fc.jsonValue({ maxDepth: 1 })
const size = fc.nat(5)
const bound = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(0.5, 1.5))
const dictionary = <T>(inner: fc.Arbitrary<T>) =>
  fc.dictionary(name, inner, { maxKeys: 3, noNullPrototype: true })
const list = <T>(inner: fc.Arbitrary<T>, minLength = 1) => fc.array(inner, { minLength, maxLength: 3 })

const { schema } = fc.letrec<{ schema: unknown }>((tie) => {
  const inner = tie('schema')
  const keywords = {
    type: types,
    const: value,
    enum: fc.oneof(list(value), fc.constant(Array.from({ length: 2000 }, (_, index) => `v${index}`))),
    default: value,
    title: name,
    description: name,
    examples: list(value),
    deprecated: fc.boolean(),
    nullable: fc.boolean(),
    readOnly: fc.boolean(),
    writeOnly: fc.boolean(),
    minimum: bound,
    maximum: bound,
    exclusiveMinimum: fc.oneof(bound, fc.boolean()),
    exclusiveMaximum: fc.oneof(bound, fc.boolean()),
    multipleOf: fc.constantFrom(1, 2),
    minLength: size,
    maxLength: size,
    pattern: fc.constantFrom('^a', 'b$'),
    format: fc.constantFrom('date', 'uri'),
    minItems: size,
    maxItems: size,
    uniqueItems: fc.boolean(),
    items: inner,
    prefixItems: list(inner),
    contains: inner,
    minContains: size,
    maxContains: size,
    unevaluatedItems: inner,
    minProperties: size,
    maxProperties: size,
    required: fc.uniqueArray(name, { maxLength: 3 }),
    properties: dictionary(inner),
    patternProperties: dictionary(inner),
    additionalProperties: inner,
    unevaluatedProperties: inner,
    propertyNames: inner,
    dependentRequired: dictionary(fc.uniqueArray(name, { maxLength: 2 })),
    dependentSchemas: dictionary(inner),
    allOf: list(inner),
    anyOf: list(inner),
    oneOf: list(inner),
    not: inner,
    // The linter takes an object with the literal key `then` for a promise.
    ...Object.fromEntries(['if', 'then', 'else'].map((key) => [key, inner])),
    discriminator: fc.record(
      { propertyName: name, mapping: fc.constant({ a: '#/components/schemas/A', b: 'B' }) },
      { requiredKeys: ['propertyName'] },
    ),
    contentMediaType: fc.constant('text/plain'),
    contentSchema: inner,
    $defs: dictionary(inner),
    $anchor: fc.constantFrom('anchor', 'other'),
    $dynamicRef: fc.constant('#anchor'),
    xml: fc.record({ name }),
    externalDocs: fc.constant({ url: 'https://x.example' }),
    'x-own': value,
  }
  const keyword = fc
    .constantFrom(...Object.keys(keywords))
    .chain((key) => keywords[key as keyof typeof keywords].map((each: unknown): Json => ({ [key]: each })))
  const ofKeywords = fc.array(keyword, { maxLength: 4 }).map((each): Json => Object.assign({}, ...each))
  return {
    schema: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.oneof(
        fc.boolean(),
        ref,
        types.map((each) => ({ type: each })),
      ),
      ofKeywords,
      fc.tuple(ofKeywords, ref).map((each): Json => Object.assign({}, ...each)),
    ),
  }
})

const optional = <T extends Json>(arbitraries: { [Key in keyof T]: fc.Arbitrary<T[Key]> }) =>
  fc.record(arbitraries, { requiredKeys: [] }) as fc.Arbitrary<Json>
const reference = (section: string) => fc.constant<Json>({ $ref: `#/components/${section}/One` })
const media = fc.dictionary(
  fc.constantFrom('application/json', 'application/*', '*/*', 'text/plain; charset=utf-8'),
  optional({
    schema,
    example: value,
    encoding: dictionary(optional({ contentType: name })),
    'x-max-bytes': size,
  }),
  { maxKeys: 3, noNullPrototype: true },
)
const header = optional({ required: fc.boolean(), schema, content: media, style: fc.constant('simple') })
const parameter = fc
  .tuple(
    fc.constantFrom({ in: 'query' }, { in: 'header' }, { in: 'cookie' }),
    fc.record({ name }),
    optional({
      required: fc.boolean(),
      schema,
      content: media,
      style: fc.constantFrom('form', 'deepObject'),
      explode: fc.boolean(),
      allowReserved: fc.boolean(),
    }),
  )
  .map((each): Json => Object.assign({}, ...each))
const parameters = list(fc.oneof(parameter, reference('parameters')), 0)
const requestBody = optional({ required: fc.boolean(), content: media })
const response = optional({
  description: name,
  content: media,
  headers: dictionary(fc.oneof(header, reference('headers'))),
  links: dictionary(optional({ operationId: name })),
})
const responses = fc.dictionary(
  fc.constantFrom('200', '2XX', '404', '4XX', 'default'),
  fc.oneof(response, reference('responses')),
  { maxKeys: 3, noNullPrototype: true },
)
const security = list(dictionary(fc.array(name, { maxLength: 2 })), 0)
const operationObject = optional({
  operationId: name,
  summary: name,
  tags: list(name),
  parameters,
  requestBody: fc.oneof(requestBody, reference('requestBodies')),
  responses,
  security,
  callbacks: fc.constant({ done: { '{$request.body#/url}': { post: { responses: {} } } } }),
})
const item = fc.oneof(
  optional({
    get: operationObject,
    post: operationObject,
    parameters,
    servers: fc.constant([{ url: '/x' }]),
  }),
  reference('pathItems'),
)
const one = <T>(inner: fc.Arbitrary<T>) => optional({ One: inner })
const document = optional({
  openapi: fc.constantFrom('3.0.3', '3.1.0'),
  info: fc.constant({ title: 'T', version: '0.1.0' }),
  servers: list(fc.record({ url: name }), 0),
  security,
  paths: fc.dictionary(fc.constantFrom('/things', '/things/{id}'), item, { noNullPrototype: true }),
  webhooks: dictionary(item),
  components: optional({
    schemas: optional({ A: schema, B: schema, C: schema, ErrorCode: schema }),
    parameters: one(parameter),
    headers: one(header),
    requestBodies: one(fc.oneof(requestBody, reference('requestBodies'))),
    responses: one(response),
    pathItems: one(item),
    securitySchemes: one(
      optional({
        type: fc.constantFrom('http', 'oauth2'),
        flows: dictionary(optional({ tokenUrl: name, scopes: dictionary(name) })),
      }),
    ),
  }),
})

/** Another document that differs in one place only, as edits do. */
const edit = fc.tuple(document, schema, fc.nat()).map(([before, inner, seed]): [Json, Json] => {
  const after = structuredClone(before)
  const holders = holdersIn(after)
  const [holder, key] = holders[seed % Math.max(1, holders.length)] ?? [after, 'paths']
  if (seed % 3 === 0 && Array.isArray(holder)) holder.splice(Number(key), 1)
  else if (seed % 3 === 0) delete holder[key]
  else holder[key] = inner
  return [before, after]
})

function holdersIn(node: unknown): [holder: Json, key: string][] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, inner]): [Json, string][] => [
    [node as Json, key],
    ...holdersIn(inner),
  ])
}

const reversed = (node: unknown): unknown => {
  if (typeof node !== 'object' || node === null) return node
  if (Array.isArray(node)) return node.map(reversed)
  return Object.fromEntries(
    Object.entries(node)
      .toReversed()
      .map(([key, inner]) => [key, reversed(inner)]),
  )
}

describe('any document', () => {
  test('the comparison of any two documents ends, and each break has a place and an advice', () => {
    fc.assert(
      fc.property(fc.oneof(edit, fc.tuple(document, document)), ([before, after]) => {
        for (const found of findBreaks(before, after)) {
          expect(sentence(found)).toMatch(/^.+: .+\.$/s)
          expect(found.advice).toMatch(/^[A-Z].+\.$/)
        }
      }),
      { numRuns: 50, interruptAfterTimeLimit: 30_000 },
    )
  })

  test('a document with its keys in another order breaks nothing', () => {
    fc.assert(
      fc.property(document, (before) => {
        // What an anchor names is not looked up, so it counts as changed wherever it is used.
        fc.pre(!JSON.stringify(before).includes('"#anchor"'))
        expect(findBreaks(before, reversed(before) as Json)).toEqual([])
      }),
      { numRuns: 50, interruptAfterTimeLimit: 30_000 },
    )
  })
})

const OVERLAP = /`oneOf` .+does not know/

const withBody = (body: unknown, schemas: Json, flow: 'received' | 'sent') => {
  const content = { 'application/json': { schema: body } }
  const operation = flow === 'received' ? { requestBody: { content } } : { responses: { 200: { content } } }
  return { openapi: '3.1.0', paths: { '/x': { post: operation } }, components: { schemas } }
}
const problemsOf = (
  before: unknown,
  after: unknown,
  schemas: [Json, Json] = [{}, {}],
  flow: 'received' | 'sent' = 'received',
) => findBreaks(withBody(before, schemas[0], flow), withBody(after, schemas[1], flow)).map(sentence)

const STRING = { type: 'string' }
const SHORT = { type: 'string', maxLength: 5 }
const INTEGER = { type: 'integer' }
const NULL = { type: 'null' }
const ofKind = (kind: string, fields: Json = {}) => ({
  required: ['kind'],
  properties: { kind: { const: kind }, ...fields },
})
const anObject = (...oneOf: Json[]) => ({ type: 'object', unevaluatedProperties: false, oneOf })

describe('a schema of any form', () => {
  test.each<[string, unknown, unknown, RegExp]>([
    ['not', { not: { type: 'string' } }, { not: { type: 'integer' } }, /`not` .+does not know/],
    [
      'if',
      JSON.parse('{ "if": { "type": "string" }, "then": { "minLength": 1 } }'),
      {},
      /`if` .+does not know/,
    ],
    ['prefixItems', { prefixItems: [{}] }, { prefixItems: [{}, {}] }, /`prefixItems` .+does not know/],
    ['false', true, false, /no value is accepted/],
    [
      'a pattern of names',
      { patternProperties: { a: {} } },
      { patternProperties: { b: {} } },
      /does not know/,
    ],
    ['propertyNames', {}, { propertyNames: { pattern: '^a' } }, /`propertyNames` was absent/],
    ['dependentRequired', {}, { dependentRequired: { a: ['b'] } }, /`dependentRequired` was absent/],
    ['two choices', { oneOf: [{}], anyOf: [{}] }, { oneOf: [{}] }, /`oneOf` .+does not know/],
    ['an exclusive bound', { exclusiveMinimum: 1 }, { exclusiveMinimum: 2 }, /`exclusiveMinimum`/],
    [
      'a higher minimum beside an exclusive one',
      { ...INTEGER, minimum: 1 },
      { ...INTEGER, minimum: 5, exclusiveMinimum: 0 },
      /`minimum` was 1 and is 5/,
    ],
    [
      'a lower maximum beside an exclusive one',
      { ...INTEGER, maximum: 9 },
      { ...INTEGER, maximum: 5, exclusiveMaximum: 10 },
      /`maximum` was 9 and is 5/,
    ],
    ['an enum that has not the const beside it', { const: 'a' }, { const: 'a', enum: ['b'] }, /`enum`/],
    [
      'a field that a pattern of names allowed',
      { patternProperties: { '^x': STRING }, additionalProperties: false },
      { patternProperties: { '^x': STRING }, additionalProperties: false, properties: { xa: INTEGER } },
      /xa: `type` was/,
    ],
    ['oneOf in place of anyOf', { anyOf: [STRING, SHORT] }, { oneOf: [STRING, SHORT] }, OVERLAP],
    ['oneOf in place of a type', STRING, { oneOf: [STRING, SHORT] }, OVERLAP],
    [
      'a new variant of oneOf that overlaps',
      { oneOf: [STRING, INTEGER] },
      { oneOf: [STRING, INTEGER, SHORT] },
      OVERLAP,
    ],
    [
      'a bound until two variants of oneOf overlap',
      {
        oneOf: [
          { ...INTEGER, maximum: 5 },
          { ...INTEGER, minimum: 6 },
        ],
      },
      {
        oneOf: [
          { ...INTEGER, maximum: 7 },
          { ...INTEGER, minimum: 6 },
        ],
      },
      OVERLAP,
    ],
    [
      'a const of a field that may be absent',
      { type: 'object' },
      anObject({ ...ofKind('a'), required: [] }, { ...ofKind('b'), required: [] }),
      OVERLAP,
    ],
    ['a const of a field of a value of any type', {}, { oneOf: [ofKind('a'), ofKind('b')] }, OVERLAP],
    ['a field called constructor', {}, { required: ['constructor'] }, /constructor: .+now required/],
    [
      'a reference without a target',
      { $ref: '#/nowhere' },
      { $ref: '#/elsewhere' },
      /`\$ref` .+does not know/,
    ],
  ])('%s', (_title, before, after, message) => {
    expect(problemsOf(before, after).join('\n')).toMatch(message)
  })

  test.each<[string, unknown, unknown]>([
    ['oneOf with another type', STRING, { oneOf: [STRING, INTEGER] }],
    ['anyOf of different types as oneOf', { anyOf: [STRING, INTEGER] }, { oneOf: [INTEGER, STRING] }],
    ['a value that may be null', { oneOf: [SHORT, NULL] }, { oneOf: [STRING, NULL] }],
    [
      'a value of several types that may be null',
      { oneOf: [{ anyOf: [SHORT, INTEGER] }, NULL] },
      { oneOf: [{ anyOf: [STRING, INTEGER] }, NULL] },
    ],
    ['a new const', anObject(ofKind('a')), anObject(ofKind('a'), ofKind('b'))],
    ['variants as they were', { maxLength: 8, oneOf: [STRING, SHORT] }, { oneOf: [STRING, SHORT] }],
  ])('variants of oneOf that exclude each other break nothing: %s', (_title, before, after) => {
    expect(problemsOf(before, after)).toEqual([])
  })

  test('a sent value that two variants of oneOf refuse', () => {
    const before = { oneOf: [STRING, SHORT] }
    expect(problemsOf(before, SHORT, [{}, {}], 'sent').join('\n')).toMatch(OVERLAP)
    expect(problemsOf({ oneOf: [STRING, NULL] }, SHORT, [{}, {}], 'sent')).toEqual([])
  })

  test('a new field of a variant in a closed body that the service sends', () => {
    const [before, after] = [anObject(ofKind('a')), anObject(ofKind('a', { more: STRING }))]
    expect(problemsOf(before, after, [{}, {}], 'sent')).toEqual([
      expect.stringMatching(/more: the field is new in a closed body/),
    ])
    expect(problemsOf(before, after)).toEqual([])
  })

  test('a component inside a keyword that is not known', () => {
    const rule = { not: { $ref: '#/components/schemas/A' } }
    expect(problemsOf(rule, rule, [{ A: { type: 'string' } }, { A: { type: 'null' } }])).toEqual([
      expect.stringMatching(/what `not` refers to: changed in a way that this comparison does not know/),
    ])
  })

  test('a list of itself, through fields, variants and allOf', () => {
    const tree = (leaf: unknown) => ({
      A: {
        properties: {
          leaf,
          next: { $ref: '#/components/schemas/A' },
          all: { items: { $ref: '#/components/schemas/B' } },
        },
      },
      B: { allOf: [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/C' }] },
      C: {
        anyOf: [{ $ref: '#/components/schemas/B' }, { allOf: [{ $ref: '#/components/schemas/C' }] }],
      },
    })
    const root = { $ref: '#/components/schemas/B' }
    expect(problemsOf(root, root, [tree({ maxLength: 9 }), tree({ maxLength: 9 })])).toEqual([])
    expect(problemsOf(root, root, [tree({ maxLength: 9 }), tree({ maxLength: 8 })])).toEqual([
      expect.stringMatching(/^A > leaf .+`maxLength` was 9 and is 8/),
    ])
  })

  test('a schema within itself a thousand times', () => {
    const deep = (leaf: object) => Array.from({ length: 1000 }).reduce((inner) => ({ items: inner }), leaf)
    expect(problemsOf(deep({}), deep({ type: 'string' })).join('\n')).toMatch(
      /too deep or too large to compare/,
    )
  })

  test('variants within variants take no exponential time', () => {
    const deep = (leaf: object): Json => {
      const variant = (field: string, index: number) => ({
        properties: { [field]: { $ref: `#/components/schemas/S${index + 1}` } },
      })
      const levels = Array.from({ length: 40 }, (_, index): [string, object] => [
        `S${index}`,
        { anyOf: [variant('a', index), variant('b', index)] },
      ])
      return { ...Object.fromEntries(levels), S40: leaf }
    }
    const root = { $ref: '#/components/schemas/S0' }
    const problems = problemsOf(root, root, [deep({ maxLength: 9 }), deep({ maxLength: 8 })])
    expect(problems).toEqual([expect.stringMatching(/^S40 .+`maxLength`/)])
  })
})

/** Schemas whose every keyword is known, and bodies for them. Open bodies are left to the lists. */
const small = fc.letrec<{ schema: unknown }>((tie) => {
  const inner = tie('schema')
  const fields = fc.dictionary(fc.constantFrom('a', 'b'), inner, { maxKeys: 2, noNullPrototype: true })
  return {
    schema: fc.oneof(
      { maxDepth: 3 },
      fc.oneof(
        types.map((each) => ({ type: each })),
        fc.record({ enum: list(fc.constantFrom('x', 'yy', 1, 2, null)) }),
        optional({
          minimum: bound,
          exclusiveMinimum: bound,
          exclusiveMaximum: bound,
          type: fc.constantFrom('integer', 'number'),
        }),
        optional({ minLength: size, maxLength: size }),
        fc.boolean(),
      ),
      fc.record({
        type: fc.constant('object'),
        properties: fields,
        required: fc.uniqueArray(fc.constantFrom('a', 'b'), { maxLength: 2 }),
        additionalProperties: fc.constant(false),
      }),
      fc.record({ items: inner, not: inner, maxItems: size }, { requiredKeys: [] }),
      fc.record({ allOf: list(inner) }),
      fc.record({ anyOf: list(inner) }),
      fc.record({ oneOf: list(inner) }),
    ),
  }
}).schema
const sample: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>('x', 'yy', '', 1, 2, 1.5, -1, null, true),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b'), tie('value'), { maxKeys: 2, noNullPrototype: true }),
  ),
})).value

test('if nothing breaks, every body of a request stays valid, and every body of a response was valid', () => {
  const ajv = new Ajv2020({ strict: false, addUsedSchema: false })
  let pairsWithoutBreak = 0
  const samples = fc.array(sample, { minLength: 20, maxLength: 20 })
  fc.assert(
    fc.property(small, small, samples, (before, after, bodies) => {
      const [was, is] = [before, after].map((each) => ajv.compile(each as Json))
      for (const flow of ['received', 'sent'] as const) {
        if (problemsOf(before, after, [{}, {}], flow).length > 0) continue
        pairsWithoutBreak++
        const [possible, allowed] = flow === 'received' ? [was!, is!] : [is!, was!]
        expect(bodies.filter((body) => possible(body) && !allowed(body))).toEqual([])
      }
    }),
    { numRuns: 150, interruptAfterTimeLimit: 30_000 },
  )
  expect(pairsWithoutBreak).toBeGreaterThan(5)
})
