// Names in partner-3.0.json that no message contains, but that the code of generated clients has.
import { expect, test } from 'vitest'
import type { Bundle } from '../../../packages/contract/bundle.ts'
import { findBreaks } from '../../../packages/contract/compatibility/compare-documents.ts'
import { findLostNames } from '../../../packages/contract/compatibility/compare-generated-code.ts'
import { review, sentence } from '../../../packages/contract/compatibility/review.ts'
import { edited, type PlacedEdit, readPublished, replacedBy } from './compatibility/edits.ts'

type Schemas = Record<string, unknown>

const published = readPublished('partner')
const lostNames = (...edits: PlacedEdit[]) =>
  findLostNames(published, edited('partner', ...edits)).map(sentence)
const CODE = 'code of generated clients names it'

/** The document with another name for a component. */
function withTypeRenamed(name: string, other: string): Bundle {
  const copied = edited('partner', ['components > schemas', copy(name, other)])
  const text = JSON.stringify(copied).replaceAll(refTo(name), refTo(other))
  return JSON.parse(text) as Bundle
}
const copy = (name: string, other: string) => (schemas: Schemas) => {
  const { [name]: schema, ...others } = schemas
  return { ...others, [other]: schema }
}
const refTo = (name: string) => `"#/components/schemas/${name}"`

test('a renamed type breaks generated clients, and no other caller', () => {
  const after = withTypeRenamed('Passport', 'TravelPassport')
  expect(findBreaks(published, after)).toEqual([])
  expect(findLostNames(published, after).map(sentence)).toEqual([
    `Passport: in partner-3.0.json, it was removed: ${CODE}.`,
  ])
})

test('a type has the name of its title, if it has no other', () => {
  const body = 'generateToken > responses > 200 > content > application/json > schema'
  expect(lostNames([`${body} > title`, replacedBy('Token')])).toEqual([
    `AccessTokenResponse: in partner-3.0.json, it was removed: ${CODE}.`,
  ])
})

test('a field with another type, though both types exist', () => {
  const add = (schemas: Schemas) => ({ ...schemas, Travel: schemas['Passport'] })
  const passport = 'SsoProfile > properties > passport'
  expect(
    lostNames(
      ['components > schemas', add],
      [passport, replacedBy({ $ref: '#/components/schemas/Travel' })],
      ['Profile > properties > suffix', replacedBy({ $ref: '#/components/schemas/Passport' })],
    ),
  ).toEqual([
    `Profile > suffix: in partner-3.0.json, it had the type string and has Passport: ${CODE}.`,
    `SsoProfile > passport: in partner-3.0.json, it had the type Passport and has Travel: ${CODE}.`,
  ])
})

test.each<[string, PlacedEdit, message: string]>([
  [
    'a format',
    ['Profile > properties > suffix > format', replacedBy('date')],
    'Profile > suffix: in partner-3.0.json, it had the type string and has string date',
  ],
  [
    'a list of values',
    ['Passport > properties > gender', replacedBy({ $ref: '#/components/schemas/Scope' })],
    'Passport > gender: in partner-3.0.json, it had the type string and has Scope',
  ],
  [
    'another width',
    ['SsoProfile > properties > postal > maximum', replacedBy(2_147_483_647)],
    'SsoProfile > postal: in partner-3.0.json, it had the type integer int64 and has integer int32',
  ],
])('a field whose value has another type: %s', (_title, edit, message) => {
  expect(lostNames(edit)).toEqual([`${message}: ${CODE}.`])
})

test('a parameter before others, and a value that is never null, leave the types as they are', () => {
  const count = { name: 'count', in: 'query', schema: { type: 'integer', minimum: 0, maximum: 9 } }
  expect(
    lostNames(
      ['inquire > parameters', (old: unknown[]) => [count, ...old]],
      ['Profile > properties > suffix > type', replacedBy('string')],
    ),
  ).toEqual([])
})

test('a field that is deprecated has the same type', () => {
  const deprecated = { allOf: [{ $ref: '#/components/schemas/Passport' }], deprecated: true }
  expect(lostNames(['SsoProfile > properties > passport', replacedBy(deprecated)])).toEqual([])
})

test('an operation in the class of another tag', () => {
  expect(lostNames(['inquire > tags', replacedBy(['Other'])])).toEqual([
    `inquire > tags: in partner-3.0.json, it had the tags ["Partner profile"] and has ["Other"]: ${CODE}.`,
  ])
})

test('the review of a change asks for the name', () => {
  const after = withTypeRenamed('Passport', 'TravelPassport')
  const changelog = `## ${after.info.version}\n\n- Words.\n`
  const { problems } = review([{ name: 'partner', before: published, after }], changelog)
  expect(problems.join('\n')).toMatch(/Passport: .+ starts with `\*\*Breaking:\*\*` and names `Passport`/)
})
