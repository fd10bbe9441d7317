// What is deprecated says since when, until when, and what replaces it.
import { expect, test } from 'vitest'
import { describe as describePart, withNotice } from '../src/reference/deprecation.ts'
import { documents } from '../src/reference/documents.ts'
import { fieldGroup } from '../src/reference/fields.ts'
import { toInlineHtml, toHtml, toSummary } from '../src/reference/markdown.ts'
import { operationsOf, parametersOf, successesOf } from '../src/reference/operations.ts'

const notice = (replacement: string) => ({
  deprecated: true,
  'x-deprecated-at': '2027-01-31',
  'x-sunset': '2028-02-29',
  'x-replaced-by': replacement,
})
const textOf = (replacement: string) =>
  `**Deprecated** since 2027-01-31: use \`${replacement}\` instead. It can end on 2028-02-29.`

/** The document of partners, in which `inquire`, a parameter of it and a header of its response are deprecated. */
function deprecatedInquire() {
  const document = structuredClone(documents.get('partner')!)
  const spec = Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .find(({ operationId }) => operationId === 'inquire')!
  Object.assign(spec, notice('listRecords'))
  const header = { description: 'Old.', schema: { type: 'string' }, ...notice('ETag') }
  Object.assign(spec.responses['200']!, { headers: { 'X-Old': header } })
  spec.parameters = [{ name: 'old', in: 'query', ...header, ...notice('state') }]
  const operation = operationsOf(new Map([['partner', document]])).find(({ id }) => id === 'inquire')!
  return { document, operation, was: spec.description! }
}

test('the page of an operation begins with the dates and a link to the replacement', () => {
  const { description } = deprecatedInquire().operation.spec
  expect(toHtml(description!)).toMatch(
    /^<p><strong>Deprecated<\/strong> since 2027-01-31: use <a href="\/docs\/reference\/listRecords"><code>listRecords<\/code><\/a> instead. It can end on 2028-02-29.<\/p>\n<p>/,
  )
  expect(description).toContain(deprecatedInquire().was.trim())
  expect(toSummary(description!)).toBe('Deprecated since 2027-01-31: use listRecords instead.')
})

test('so do a parameter and a header', () => {
  const { operation, document } = deprecatedInquire()
  const [query] = parametersOf(operation.spec, document)
  expect(query!.fields[0]!.description).toBe(`${textOf('state')} Old.`)
  expect(successesOf(operation)[0]!.headers[0]!.description).toBe(`${textOf('ETag')} Old.`)
})

test('so does a field, also one that names the schema of an object', () => {
  const old = { $ref: '#/components/schemas/Old', ...notice('names') }
  const schemas = { Old: { description: 'An old one.', properties: { name: { type: 'string' } } } }
  const properties = { old, other: { type: 'string', description: 'Another one.' } }
  const { fields } = fieldGroup({ properties }, schemas, [], 'body')
  expect(fields.map(({ description }) => description)).toEqual([
    `${textOf('names')} An old one.`,
    'Another one.',
  ])
  expect(toInlineHtml(fields[0]!.description)).toMatch(/^<strong>Deprecated/)
})

test('an event without a description has its summary after the notice', () => {
  const ended: { summary: string; description?: string } = {
    summary: 'It ended.',
    ...notice('authorization.ended'),
  }
  expect(withNotice(ended).description).toBe(`${textOf('authorization.ended')}\n\nIt ended.`)
  expect(withNotice({ summary: 'It ended.' })).toEqual({ summary: 'It ended.' })
  expect(describePart({}, ' Text.\n')).toBe('Text.')
})
