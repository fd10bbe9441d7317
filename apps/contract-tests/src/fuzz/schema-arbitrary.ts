// Derives generators of values (fast-check) from the schemas of the documents.
import fc from 'fast-check'
import { type Part, partOf } from '../contract-check/documents.ts'

const MAX_ITEMS = 5
const MAX_LENGTH = 80

type Schema = {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minProperties?: number
  maxItems?: number
  uniqueItems?: boolean
  required?: string[]
  properties?: object
  allOf?: object[]
  oneOf?: object[]
}

/** Values that the schema accepts. */
export function conforming(part: Part): fc.Arbitrary<unknown> {
  const schema = part.value as Schema
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if ('const' in schema) return fc.constant(schema.const)
  const alternatives = schema.oneOf?.map((_, index) => conforming(partOf(part, 'oneOf', String(index))!))
  if (alternatives) return fc.oneof(...alternatives)
  if (schema.allOf) return everyOf(part, schema.allOf.length)
  return fc.oneof(...[schema.type ?? 'object'].flat().map((type) => ofType(type, part)))
}

/** Objects that conform to every schema of an `allOf`. */
function everyOf(part: Part, count: number): fc.Arbitrary<unknown> {
  const parts = Array.from({ length: count }, (_, index) => conforming(partOf(part, 'allOf', String(index))!))
  return fc.tuple(...parts).map((values) => Object.assign({}, ...values) as unknown)
}

function ofType(type: string, part: Part): fc.Arbitrary<unknown> {
  const schema = part.value as Schema
  switch (type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1000, max: schema.maximum ?? 1000 })
    case 'array':
      return arrayOf(conforming(partOf(part, 'items')!), schema)
    case 'string':
      return stringOf(schema)
    case 'object':
      return objectOf(part)
    default:
      throw new Error(`no values of the type ${type}: ${part.pointer}`)
  }
}

const arrayOf = (items: fc.Arbitrary<unknown>, { uniqueItems, maxItems = MAX_ITEMS }: Schema) => {
  const maxLength = Math.min(maxItems, MAX_ITEMS)
  return uniqueItems ? fc.uniqueArray(items, { maxLength }) : fc.array(items, { maxLength })
}

function objectOf(part: Part): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], minProperties = 0 } = part.value as Schema
  const values = Object.keys(properties).map((name) => [name, conforming(partOf(part, 'properties', name)!)])
  const model = Object.fromEntries(values) as Record<string, fc.Arbitrary<unknown>>
  return fc
    .record(model, { requiredKeys: required, noNullPrototype: true })
    .filter((object) => Object.keys(object).length >= minProperties)
}

/** V8 takes seconds to compile a pattern with many properties of characters. */
const compiled = new Map<string, RegExp>()
function regExpOf(pattern: string): RegExp {
  if (!compiled.has(pattern)) compiled.set(pattern, new RegExp(pattern, 'u'))
  return compiled.get(pattern)!
}

function stringOf(schema: Schema): fc.Arbitrary<string> {
  const { format, pattern, minLength = 0, maxLength = MAX_LENGTH } = schema
  const matching = regExpOf(pattern ?? '')
  const isRight = (text: string) => {
    // JSON Schema counts code points.
    const { length } = Array.from(text)
    return length >= minLength && length <= maxLength && matching.test(text)
  }
  const lengths = { minLength, maxLength: Math.min(maxLength, Math.max(minLength, MAX_LENGTH)) }
  // Nothing may be sent to a real host.
  if (format === 'uri')
    return fc
      .tuple(fc.constantFrom('https', 'http'), fc.webPath(), fc.webQueryParameters())
      .map(([scheme, path, query]) => `${scheme}://partner.example${path || '/'}?${query}`)
      .filter(isRight)
  if (format === 'date-time')
    return fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
      .map((date) => date.toISOString())
  if (!pattern) return fc.string({ unit: 'grapheme', ...lengths }).filter(isRight)
  // `stringMatching` does not support `\p{...}`, and its strings are rarely as long as `minLength`, unless the pattern says the length.
  const isOfCharacters = matching.test('a'.repeat(Math.max(1, minLength)))
  if (!pattern.includes('\\p') && !(schema.minLength && isOfCharacters))
    return fc.stringMatching(new RegExp(pattern)).filter(isRight)
  const one = { minLength: 1, maxLength: 1 }
  const character = fc.oneof(
    fc.string({ unit: 'grapheme-ascii', ...one }),
    fc.string({ unit: 'grapheme', ...one }),
  )
  const unit = character.filter((each) => matching.test('a'.repeat(Math.max(0, minLength - 2)) + each + 'a'))
  return fc.string({ unit, ...lengths }).filter(isRight)
}
