// The schemas of clients: one named object or one type for each value.
import { describe, expect, test } from 'vitest'
import { createFlattener, type Json } from '../../../packages/contract/generator/flat-schemas.ts'

const STRING = { type: 'string' }
const THING = { $ref: '#/components/schemas/Thing' }
const SOURCES = {
  Thing: { type: 'object', description: 'A thing.', properties: {} },
  Other: { type: 'object', properties: {} },
  Code: { ...STRING, description: 'A code.', pattern: '^c', maxLength: 9 },
  NewCode: { ...STRING, pattern: '^n', maxLength: 9 },
  Choice: { ...STRING, enum: ['a', 'b'] },
}
const ref = (name: keyof typeof SOURCES) => ({ $ref: `#/components/schemas/${name}` })

/** A field of an object, as clients get it. */
function fieldOf(schema: Json): unknown {
  const { flatten, components } = createFlattener(SOURCES)
  flatten({ type: 'object', properties: { field: schema } }, 'Body')
  return (components['Body']!['properties'] as Json)['field']
}

describe('variants become one type', () => {
  test.each<[string, Json, Json]>([
    [
      'two patterns',
      {
        description: 'A text.',
        anyOf: [
          { ...STRING, pattern: '^a', maxLength: 5 },
          { ...STRING, maxLength: 5 },
        ],
      },
      { ...STRING, description: 'A text.', maxLength: 5 },
    ],
    ['two patterns beside their type', { ...STRING, oneOf: [{ pattern: '^a' }, { pattern: '^b' }] }, STRING],
    [
      'two components of one simple type',
      { anyOf: [ref('Code'), ref('NewCode')] },
      { ...STRING, maxLength: 9 },
    ],
    ['a text or null', { anyOf: [STRING, { type: 'null' }] }, { ...STRING, nullable: true }],
    [
      'a text or null, and another text',
      { anyOf: [{ type: ['string', 'null'], pattern: '^a' }, STRING] },
      { ...STRING, nullable: true },
    ],
    [
      'two ranges of integers',
      {
        anyOf: [
          { type: 'integer', minimum: 1, maximum: 9 },
          { type: 'integer', minimum: 1, maximum: 2 ** 40 },
        ],
      },
      { type: 'integer', format: 'int64', minimum: 1 },
    ],
    ['an object or null', { anyOf: [THING, { type: 'null' }] }, { nullable: true, allOf: [THING] }],
    ['an object twice', { anyOf: [THING, THING] }, THING],
  ])('%s', (_title, schema, flat) => {
    expect(fieldOf(schema)).toEqual(flat)
  })

  test.each<[string, Json, RegExp]>([
    ['two objects', { anyOf: [THING, ref('Other')] }, /^BodyField has variants that are not one schema/],
    ['an object or a text', { oneOf: [THING, STRING] }, /^BodyField has variants/],
    ['a closed list or a text', { anyOf: [ref('Choice'), STRING] }, /^BodyField has variants/],
    ['a text or a number', { anyOf: [STRING, { type: 'number' }] }, /^BodyField has variants/],
    [
      'lists',
      {
        anyOf: [
          { type: 'array', items: STRING },
          { type: 'array', items: THING },
        ],
      },
      /^BodyField has variants/,
    ],
    [
      'objects without a name',
      { ...SOURCES.Thing, anyOf: [{ required: ['a'] }, {}] },
      /^BodyField has variants/,
    ],
    ['several types', { type: ['string', 'integer', 'null'] }, /^BodyField has several types/],
  ])('refused: %s', (_title, schema, message) => {
    expect(() => fieldOf(schema)).toThrow(message)
  })
})

describe('a field keeps what it says beside the schema that it refers to', () => {
  const own = { description: 'Mine.', deprecated: true, 'x-sunset': '2028-01-31' }

  test.each<[string, Json, Json]>([
    ['an object', { ...own, allOf: [THING] }, { ...own, allOf: [THING] }],
    ['a closed list', { ...own, allOf: [ref('Choice')] }, { ...own, allOf: [ref('Choice')] }],
    ['a text', { ...own, allOf: [ref('Code')] }, { ...STRING, ...own, pattern: '^c', maxLength: 9 }],
    [
      'an object or null',
      { ...own, oneOf: [THING, { type: 'null' }] },
      { ...own, nullable: true, allOf: [THING] },
    ],
    [
      'kinds of one object',
      { deprecated: true, oneOf: [THING, THING] },
      { deprecated: true, allOf: [THING] },
    ],
    ['kinds of one object, whose body has no text', { description: 'Mine.', oneOf: [THING, THING] }, THING],
    ['nothing of its own', { allOf: [THING, { required: ['a'] }] }, THING],
  ])('%s', (_title, schema, flat) => {
    expect(fieldOf(schema)).toEqual(flat)
  })
})
