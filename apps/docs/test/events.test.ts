import { expect, test } from 'vitest'
import { contentOf, events } from '../src/reference/events.ts'
import { resolve, type Schema, type Schemas } from '../src/reference/schema.ts'

const ofRecords = events.filter(({ type }) => /^(authorization|profile)\./.test(type))

test.each(ofRecords)('$type: the page shows only the state that the record then has', (event) => {
  const schemas = event.document.components.schemas as Schemas
  const [{ schema }] = Object.values(contentOf(event)) as [{ schema: Schema }]
  const data = resolve(resolve(schema, schemas).properties!['data']!, schemas)
  const state = resolve(data.properties!['state']!, schemas)
  const [, suffix] = event.type.split('.')
  expect([state.const, state.enum]).toEqual([suffix!.toUpperCase(), undefined])
})
