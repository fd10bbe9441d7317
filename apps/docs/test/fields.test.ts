import { expect, test } from 'vitest'
import { type Field, fieldGroup } from '../src/reference/fields.ts'
import type { Schema } from '../src/reference/schema.ts'

const NODE = { $ref: '#/components/schemas/Node' }
const namesOf = (fields: Field[]): unknown[] =>
  fields.map(({ name, fields: inner }) => [name, namesOf(inner)])

test.each<[string, Schema]>([
  ['or null', { oneOf: [NODE, { type: 'null' }] }],
  ['in a list', { type: 'array', items: NODE }],
  ['with a description', { description: 'The next one.', allOf: [NODE] }],
  ['with other fields', { allOf: [NODE, { properties: { name: { maxLength: 5 } } }] }],
])('an object within itself ends where it repeats: %s', (_title, next) => {
  const node = { type: 'object', title: 'Node', properties: { name: { type: 'string' }, next } }
  const { fields } = fieldGroup(NODE, { Node: node }, [], 'body')
  expect(namesOf(fields)).toEqual([
    ['name', []],
    [
      'next',
      [
        ['name', []],
        ['next', []],
      ],
    ],
  ])
  expect(fields[1]!.fields[1]!.title).toBe('Node')
})

test.each<[string, Schema[], string[]]>([
  ['of the one form', [{ type: 'null' }], ['matches `^a`']],
  ['of no form, if there are several', [{ type: 'string', pattern: '^b' }], []],
])('a field has the limits %s', (_title, others, limits) => {
  const field = { description: 'A text.', anyOf: [{ type: 'string', pattern: '^a' }, ...others] }
  const { fields } = fieldGroup({ properties: { field } }, {}, [], 'body')
  expect(fields[0]!.limits).toEqual(limits)
})
