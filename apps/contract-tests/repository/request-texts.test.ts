// Every text of a request has a limit in its document, which callers can read and the server checks.
import { resolve } from '@tiwala/contract/references'
import { documentOf, OPERATION_IDS } from '@tiwala/kit/operations'
import { expect, test } from 'vitest'
import { documents, parametersOf, requestBodiesOf } from '../src/contract-check/documents.ts'
import { expectNone } from './expect-none.ts'

type Schema = Readonly<Record<string, unknown>>

/** The schemas that hold together: what a schema refers to, and what the parts of its `allOf` refer to. */
function partsOf(document: object, schema: object): Schema[] {
  const { allOf = [], ...own } = resolve(document, schema) as Schema & { allOf?: object[] }
  return [own, ...allOf.flatMap((part) => partsOf(document, part))]
}

/** Escapes and classes, in which these characters repeat nothing. */
const CHARACTERS = /\\.|\[(?:\\.|[^\]\\])*\]/gs
const repeatsForEver = (pattern: string) => /[*+]|\{\d+,\}/.test(pattern.replaceAll(CHARACTERS, ''))

const hasLimit = ({ maxLength, enum: values, const: constant, format, pattern }: Schema) =>
  (maxLength ?? values ?? constant) !== undefined ||
  /^(date|date-time|ipv4|ipv6|uuid)$/.test(String(format)) ||
  (typeof pattern === 'string' && !repeatsForEver(pattern))

/** The ways to the texts of any length that the schemas, which hold together, allow. */
function endlessTexts(document: object, way: string, schemas: readonly object[]): string[] {
  const parts = schemas.flatMap((schema) => partsOf(document, schema))
  const inner = (key: string) => parts.map((part) => part[key]).filter((value) => typeof value === 'object')
  const fields = inner('properties').flatMap((properties) => Object.entries(properties as Schema))
  const names = [...new Set(fields.map(([name]) => name))]
  const isText = parts.some(({ type }) => [type].flat().includes('string'))
  return [
    ...(isText && !parts.some(hasLimit) ? [way] : []),
    ...names.flatMap((name) => {
      const all = fields.filter(([other]) => other === name).map(([, schema]) => schema as object)
      return endlessTexts(document, `${way} > ${name}`, all)
    }),
    ...['items', 'additionalProperties']
      .map((key) => inner(key) as object[])
      .filter((all) => all.length > 0)
      .flatMap((all) => endlessTexts(document, way, all)),
    ...[...inner('oneOf'), ...inner('anyOf')]
      .flatMap((variants) => variants as object[])
      .flatMap((variant) => endlessTexts(document, way, [variant])),
  ]
}

/**
 * What the server limits as a whole: the headers of a request to 8 KiB (an invalid `traceparent` is ignored),
 * an import and each of its lines, and the JSON of a citizen to 16 KiB (`registration-faults.ts`).
 */
const LIMITED_AS_A_WHOLE =
  /> traceparent$|^importCitizens > application\/x-ndjson$|^upsertCitizen > application\/json > (profile|passport) > /

test('every text of a request has a limit', () => {
  const found = OPERATION_IDS.flatMap((id) => {
    const inputs = [
      ...parametersOf(id).map(({ value }) => [String(value['name']), value] as const),
      ...Object.entries(requestBodiesOf(id)).map(([type, { value }]) => [type, value] as const),
    ]
    const document = documents[documentOf(id)]
    return inputs.flatMap(([name, { schema }]) =>
      endlessTexts(document, `${id} > ${name}`, [schema as object]),
    )
  })
  // Nothing was overlooked.
  expect(found).toContain('importCitizens > application/x-ndjson')
  expect(found).toContain('upsertCitizen > application/json > passport > place_issued')
  expect(found).not.toContain('upsertCitizen > application/json > profile > uniqid')
  expectNone(found.filter((way) => !LIMITED_AS_A_WHOLE.test(way)))
})
