// What the client checks of a response.
import { SPEC } from '@tiwala/contract/bundle'
import { expect, test } from 'vitest'
import { explain } from '../../../packages/contract/generator/generate.ts'
import { responseShapes } from '../../../packages/contract/generator/response-shapes.ts'

const PROFILE = { $ref: '#/components/schemas/Profile' }

/** The shapes of an operation that returns a profile. */
function shapesOf(profile: object): string {
  const content = { 'application/json': { schema: PROFILE } }
  const paths = { '/x': { get: { operationId: 'read', responses: { 200: { content } } } } }
  const schemas = { Profile: profile, Error: { type: 'object', properties: {} } }
  return responseShapes({
    info: { version: '1.0.0' },
    paths,
    components: { schemas },
  })
}
function errorOf(act: () => unknown): Error {
  try {
    act()
  } catch (error) {
    return error as Error
  }
  throw new Error('it was not refused')
}

const withNext = (rest: object) => ({
  type: 'object',
  properties: { name: { type: 'string', anyOf: [{ pattern: '^a' }, { maxLength: 5 }] }, next: PROFILE },
  ...rest,
})

test('a component that has itself in an optional field is checked without it, and variants by their type', () => {
  expect(shapesOf(withNext({ required: ['name'] }))).toContain("const Profile: Shape = { name: 'string' }")
})

test('a list and an object that may be null, and a map', () => {
  const nullable = (rest: object) => ({ type: ['array', 'null'], ...rest })
  const properties = {
    names: nullable({ items: { type: 'string' } }),
    part: { type: ['object', 'null'], required: ['id'], properties: { id: { type: 'integer' } } },
    map: { type: 'object', additionalProperties: { type: 'string' } },
    none: { type: 'null' },
  }
  expect(shapesOf({ type: 'object', properties, required: Object.keys(properties) })).toContain(
    "Shape = { names: [{ '[]': 'string' }, 'null'], part: [{ id: 'number' }, 'null'], map: {  }, none: 'null' }",
  )
})

test('a component that has itself in a required field is refused, with its file', async () => {
  const required = withNext({
    required: ['next'],
    properties: { next: { oneOf: [PROFILE, { type: 'null' }] } },
  })
  expect(
    await explain(
      errorOf(() => shapesOf(required)),
      SPEC,
      'partner',
    ),
  ).toMatch(/^spec\/schemas\/profile\.yaml:1:1 Profile has itself in a required field/)
})
