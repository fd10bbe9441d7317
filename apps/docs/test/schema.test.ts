import { describe, expect, test } from 'vitest'
import { merge, resolve, type Schema, type Schemas } from '../src/reference/schema.ts'

const SCHEMAS: Schemas = {
  Person: {
    type: 'object',
    title: 'Person',
    description: 'A person.',
    required: ['name'],
    properties: { name: { type: 'string' } },
  },
  Record: {
    type: 'object',
    required: ['id', 'state', 'answer'],
    properties: {
      id: { type: 'integer', minimum: 1 },
      state: { type: ['integer', 'null'], enum: [1, 0, null], description: 'The state.' },
      day: { type: ['string', 'null'], pattern: '^d$', maxLength: 10 },
      answer: {
        description: 'The answer.',
        oneOf: [{ $ref: '#/components/schemas/Person' }, { type: 'null' }],
      },
    },
  },
}
const record = { $ref: '#/components/schemas/Record' }
const state = (properties: Record<string, Schema>) =>
  resolve({ title: 'State', allOf: [{ type: 'object', properties }, record] }, SCHEMAS)

describe('allOf', () => {
  test('a constant narrows an enumeration and its type, and keeps the description', () => {
    const { properties } = state({ state: { const: 1 } })
    expect(properties!['state']).toEqual({ const: 1, type: 'integer', description: 'The state.' })
  })

  test('the type null narrows an enumeration, and a pattern no longer applies', () => {
    const { properties } = state({ state: { type: 'null' }, day: { type: 'null' } })
    expect(properties!['state']).toEqual({ type: 'null', description: 'The state.' })
    expect(properties!['day']).toEqual({ type: 'null', maxLength: 10 })
  })

  test('the constant null is the type null', () => {
    const { properties } = state({ day: { type: ['string', 'null'], const: null } })
    expect(properties!['day']).toEqual({ type: 'null', maxLength: 10 })
  })

  test('a type removes null', () => {
    const { properties } = state({ day: { type: 'string' } })
    expect(properties!['day']).toEqual({ type: 'string', pattern: '^d$', maxLength: 10 })
  })

  test('a type or a reference chooses a branch of oneOf, and keeps the description beside it', () => {
    expect(state({ answer: { type: 'null' } }).properties!['answer']).toEqual({
      type: 'null',
      description: 'The answer.',
    })
    const person = { $ref: '#/components/schemas/Person' }
    expect(state({ answer: person }).properties!['answer']).toMatchObject({ name: 'Person', type: 'object' })
  })

  test('the order, the required fields and the title are those of a reader', () => {
    const { properties, required, title, name } = state({ answer: { type: 'null' }, id: { maximum: 5 } })
    expect(Object.keys(properties!)).toEqual(['id', 'state', 'day', 'answer'])
    expect([required, title, name]).toEqual([['id', 'state', 'answer'], 'State', undefined])
    expect(properties!['id']).toEqual({ type: 'integer', minimum: 1, maximum: 5 })
  })
})

test('two enumerations leave their common values, and two bounds the tighter one', () => {
  const base = { enum: ['a', 'b', 'c'], minLength: 1, maxLength: 9, minimum: 3 }
  expect(merge(base, { enum: ['b', 'c', 'd'], minLength: 2, maxLength: 20, minimum: 1 }, {})).toEqual({
    enum: ['b', 'c'],
    minLength: 2,
    maxLength: 9,
    minimum: 3,
  })
})

test('a reference keeps its name, and the description beside it wins', () => {
  const schema = resolve({ $ref: '#/components/schemas/Person', description: 'You.' }, SCHEMAS)
  expect(schema).toMatchObject({ name: 'Person', title: 'Person', description: 'You.' })
  expect(() => resolve({ $ref: '#/components/schemas/Missing' }, SCHEMAS)).toThrow('does not exist')
})
