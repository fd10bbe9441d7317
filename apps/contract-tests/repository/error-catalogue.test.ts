// The catalogue of error codes (spec/errors/) and the documents agree.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ErrorCode, routes } from '@tiwala/contract'
import catalogue from '@tiwala/contract/errors.json' with { type: 'json' }
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { isSpecFile } from '../../../packages/contract/generator/spec-files.ts'
import { documents } from '../src/contract-check/documents.ts'
import { expectNone } from './expect-none.ts'
import { ROOT } from './files.ts'

type Codes = { error: { enum: ErrorCode[] } }
type ErrorResponse = {
  headers: Record<string, { $ref?: string }>
  content: {
    'application/json': {
      schema: { allOf: [object, { properties: Codes }] }
      examples: Record<string, { value: object }>
    }
  }
}

/** All shared responses, except the success of an operation that waits. */
/** The other responses of a document are successes. Their schemas put no errors together. */
const errorsOf = (responses: unknown) =>
  Object.entries(responses as Record<string, ErrorResponse>).filter(
    ([, { content }]) => content['application/json'].schema.allOf,
  )

const ID = 'https://contract.invalid/'
const SPEC = join(ROOT, 'spec')
const CODES = Object.keys(catalogue) as ErrorCode[]
const IDS = Object.values(routes).flatMap((table) => Object.keys(table))
const TEXT = { type: 'string', minLength: 20, pattern: '[.]\\s*$' }
const ENTRY = {
  type: 'object',
  additionalProperties: false,
  required: ['status', 'message', 'meaning', 'action', 'headers', 'example', 'operations', 'citizen'],
  properties: {
    status: { type: 'integer', minimum: 400, maximum: 599 },
    message: { type: 'string', minLength: 5 },
    meaning: TEXT,
    action: TEXT,
    citizen: TEXT,
    headers: { type: 'object' },
    example: { $ref: `${ID}partner#/components/schemas/Error` },
    operations: { items: { enum: IDS } },
  },
}
const ajv = new Ajv2020({ strict: false, allErrors: true })
for (const [name, document] of Object.entries(documents)) ajv.addSchema(document, ID + name)

test('each code has one file, and the enum of every document holds the same codes', () => {
  const files = readdirSync(join(SPEC, 'errors')).filter(isSpecFile)
  expect(files.map((file) => file.replace(/\.yaml$/, '')).toSorted()).toEqual(CODES.toSorted())
  for (const document of Object.values(documents))
    expect(document.components['schemas']!['ErrorCode']).toMatchObject({ enum: CODES })
})

test('every code is given by an operation, except the code for a method that no operation has', () => {
  expect(CODES.filter((code) => catalogue[code].operations.length === 0)).toEqual(['method_not_allowed'])
})

test('every 401 has a challenge (RFC 9110, section 11.6.1)', () => {
  const challenged = CODES.filter((code) => 'WWW-Authenticate' in catalogue[code].headers)
  expect(challenged).toEqual(CODES.filter((code) => catalogue[code].status === 401))
})

test.each(CODES)('%s has all its texts, and an example that matches the schema Error', (code) => {
  const validate = ajv.compile(ENTRY)
  expect(validate(catalogue[code]) || ajv.errorsText(validate.errors)).toBe(true)
  const { status, example } = catalogue[code]
  expect(example).toMatchObject({ status, error: code })
})

test('every error response is listed in a document', () => {
  const listed = Object.keys(documents).map((name) => readFileSync(join(SPEC, name, 'openapi.yaml'), 'utf8'))
  const files = readdirSync(join(SPEC, 'responses')).filter(isSpecFile)
  expectNone(files.filter((file) => !listed.some((text) => text.includes(`../responses/${file}`))))
})

describe.each(Object.entries(documents))('the document %s', (document, { components }) => {
  test.each(errorsOf(components['responses']))(
    'the error response %s has the headers of its codes, and a valid example of each code',
    (name, { headers, content }) => {
      const { schema, examples } = content['application/json']
      const codes = schema.allOf[1].properties.error.enum
      expect(Object.keys(examples)).toEqual(codes)
      const validate = ajv.getSchema(
        `${ID}${document}#/components/responses/${name}/content/application~1json/schema`,
      )!
      for (const { value } of Object.values(examples))
        expect(validate(value) || ajv.errorsText(validate.errors)).toBe(true)
      const ofCodes = codes.flatMap((code) => Object.keys(catalogue[code].headers))
      expect(Object.keys(headers)).toEqual(
        expect.arrayContaining(['X-Request-Id', 'traceparent', 'Cache-Control', 'Link', ...ofCodes]),
      )
    },
  )
})
