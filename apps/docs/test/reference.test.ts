// Every operation, event and error code of the contract has its page, with all that a page shows.
import { routes } from '@tiwala/contract'
import citizenApp from '@tiwala/contract/citizen-app.json'
import catalogue from '@tiwala/contract/errors.json'
import operator from '@tiwala/contract/operator.json'
import partner from '@tiwala/contract/partner.json'
import { describe, expect, test } from 'vitest'
import { documents } from '../src/reference/documents.ts'
import { errorEntries, exampleOf } from '../src/reference/error-codes.ts'
import { EXAMPLE_SECRET, events, workedSignature } from '../src/reference/events.ts'
import { toHtml } from '../src/reference/markdown.ts'
import { bodiesOf, documentOf, operations, successesOf } from '../src/reference/operations.ts'
import { factsOf } from '../src/reference/policy.ts'
import { samplesOf } from '../src/reference/samples.ts'

const operationNamed = (id: string) => operations.find((operation) => operation.id === id)!

test('each operation, event and error code has its page', () => {
  expect(operations.map(({ id }) => id)).toEqual(Object.values(routes).flatMap((table) => Object.keys(table)))
  expect(events.map(({ type }) => type)).toEqual(Object.keys(partner.webhooks))
  expect(errorEntries.map(({ code }) => code)).toEqual(Object.keys(catalogue))
})

describe.each(operations.map((operation) => [operation.id, operation] as const))('%s', (_id, operation) => {
  test('says who calls it, has a sample, and describes each field of its bodies', () => {
    expect(factsOf(operation)[0]!.text).toMatch(/\.$/)
    const [sample] = samplesOf(operation)
    expect(sample!.source).toContain(operation.server)
    expect(sample!.source).not.toMatch(/undefined|\[object|\{\w+\}/)
    const { requestBody } = operation.spec
    const requests = requestBody ? bodiesOf(requestBody.content, documentOf(operation), 'request') : []
    const responses = successesOf(operation)
    expect(responses).not.toEqual([])
    for (const { tables } of [...requests, ...responses.flatMap(({ bodies }) => bodies)])
      for (const { rows, id } of tables)
        for (const row of rows) {
          const isUnion = row.tables.length > 1
          const says = row.description || row.values.length || isUnion
          expect([operation.id, id, row.path, Boolean(says)]).toEqual([operation.id, id, row.path, true])
        }
  })
})

test('a page has the fields of each event of a stream, and of each line of a body', () => {
  const titlesOf = (bodies: { tables: { title?: string }[] }[]) =>
    bodies.flatMap(({ tables }) => tables.map(({ title }) => title))
  const [stream, lines] = [operationNamed('streamEvents'), operationNamed('importCitizens')]
  expect(titlesOf(successesOf(stream).flatMap(({ bodies }) => bodies))).toContain('Citizen event')
  const { content } = lines.spec.requestBody!
  expect(titlesOf(bodiesOf(content, documentOf(lines), 'request'))).toContain('Citizen registration')
})

test('a body of lines has the fields of a line, with the examples of its lines', () => {
  const document = documentOf(operationNamed('importCitizens'))
  const lines = (type: string, example: string) => ({
    [type]: {
      schema: { type: 'string', description: 'Lines.' },
      'x-item-schema': { title: 'Item', properties: { name: { type: 'string', description: 'A name.' } } },
      example,
    },
  })
  const content = {
    ...lines('application/x-ndjson', '{"name":"Ana"}\n\n{"name":"Ben"}\n'),
    ...lines('text/event-stream', 'retry: 1\n\nid: 2\ndata: {"name":"Ana"}\n'),
  }
  for (const [type, media] of Object.entries(content)) {
    const [body, item] = bodiesOf({ [type]: media }, document, 'request')[0]!.tables
    expect([body!.description, item!.id, item!.title]).toEqual(['Lines.', 'request-item', 'Item'])
    expect(item!.rows).toEqual([
      expect.objectContaining({ path: 'name', description: 'A name.', example: 'Ana' }),
    ])
  }
})

describe('a record that is one of several', () => {
  const tables = successesOf(operationNamed('inquire'))[0]!.bodies[0]!.tables
  const rowOf = (title: string, path: string) =>
    tables.find((table) => table.title === title)!.rows.find((row) => row.path === path)!

  test('has a table for each state, and one for what is the same in every state', () => {
    expect(tables.map(({ title }) => title)).toEqual([
      '',
      'In every state',
      'Pending authorization',
      'Accepted authorization',
      'Ended authorization',
      'Viewed authorization',
      'Profile',
    ])
    expect(rowOf('In every state', 'tracking_no')).toMatchObject({ type: 'string', isRequired: true })
    expect(rowOf('In every state', 'payload.qr_value').example).toMatch(/^TWQ/)
  })

  test('a state narrows the values', () => {
    expect(rowOf('Pending authorization', 'is_accepted')).toMatchObject({ type: 'null', mayBeNull: false })
    expect(rowOf('Accepted authorization', 'is_accepted')).toMatchObject({ type: 'integer', values: [1] })
    expect(rowOf('Ended authorization', 'accepted_at')).toMatchObject({ mayBeNull: true })
    expect(rowOf('Accepted authorization', 'response').tables).toEqual([
      expect.objectContaining({ title: 'Profile' }),
    ])
    expect(rowOf('Profile', 'middle_name')).toMatchObject({ type: 'string or null', mayBeNull: true })
  })
})

test('the signature of an event is the one that the document shows', () => {
  const accepted = events.find(({ type }) => type === 'authorization.accepted')!
  const { signature } = workedSignature(accepted)
  expect(signature).toBe(partner.components.parameters.WebhookSignature.example)
  expect(partner.info.description).toContain(EXAMPLE_SECRET)
})

test('the names of operations, events and error codes are links', () => {
  expect(toHtml('See `inquire`, `429 slow_down`, `profile.viewed` and `other`.')).toBe(
    '<p>See <a href="/docs/reference/inquire"><code>inquire</code></a>, ' +
      '<a href="/docs/errors/slow_down"><code>429 slow_down</code></a>, ' +
      '<a href="/docs/events/profile.viewed"><code>profile.viewed</code></a> and <code>other</code>.</p>\n',
  )
})

test('the example of an error code is a whole response', () => {
  const example = exampleOf(errorEntries.find(({ code }) => code === 'rate_limited')!)
  expect(example).toMatch(
    /^HTTP\/1.1 429 Too Many Requests\n[^]*Retry-After: \d+\n[^]*\n\n\{\n {2}"status": 429/,
  )
})

test('the documents of a site are those of the contract', () => {
  const titles = [partner, citizenApp, operator].map(({ info }) => info.title)
  expect([...documents.values()].map(({ info }) => info.title)).toEqual(titles)
})
