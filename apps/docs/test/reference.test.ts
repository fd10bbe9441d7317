// Every operation, event and error code of the contract has its page, with all that a page shows.
import { routes } from '@tiwala/contract'
import citizenApp from '@tiwala/contract/citizen-app.json'
import catalogue from '@tiwala/contract/errors.json'
import operator from '@tiwala/contract/operator.json'
import partner from '@tiwala/contract/partner.json'
import workbench from '@tiwala/contract/workbench.json'
import { describe, expect, test } from 'vitest'
import { documents } from '../src/reference/documents.ts'
import { errorEntries, exampleOf } from '../src/reference/error-codes.ts'
import { EXAMPLE_SECRET, events, workedSignature } from '../src/reference/events.ts'
import type { Field } from '../src/reference/fields.ts'
import { toHtml } from '../src/reference/markdown.ts'
import { bodiesOf, documentOf, operations, parametersOf, successesOf } from '../src/reference/operations.ts'
import { factsOf } from '../src/reference/policy.ts'
import { samplesOf } from '../src/reference/samples.ts'

const operationNamed = (id: string) => operations.find((operation) => operation.id === id)!

/** The fields with those inside of them. */
const withInner = (fields: Field[]): Field[] => fields.flatMap((each) => [each, ...withInner(each.fields)])

test('each operation, event and error code has its page', () => {
  const ids = Object.values(routes).flatMap((table) => Object.keys(table))
  expect(operations.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
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
    for (const { groups } of [...requests, ...responses.flatMap(({ bodies }) => bodies)])
      for (const each of groups.flatMap(({ fields }) => withInner(fields))) {
        const says = each.description || each.values.length || each.states.length || each.fields.length
        expect([operation.id, each.id, Boolean(says)]).toEqual([operation.id, each.id, true])
      }
  })

  test('has another address for each field', () => {
    const { spec } = operation
    const bodies = spec.requestBody
      ? bodiesOf(spec.requestBody.content, documentOf(operation), 'request')
      : []
    const successes = successesOf(operation)
    const ids = [
      ...[...bodies, ...successes.flatMap((each) => each.bodies)]
        .flatMap(({ groups }) => groups)
        .flatMap(({ fields }) => fields),
      ...successes.flatMap(({ headers }) => headers),
      ...parametersOf(spec, documentOf(operation)).flatMap(({ fields }) => fields),
    ].flatMap((each) => withInner([each]).map(({ id }) => id))
    expect(ids.length - new Set(ids).size).toBe(0)
  })
})

test('a page has the fields of each event of a stream, and of each line of a body', () => {
  const titlesOf = (bodies: { groups: { title: string }[] }[]) =>
    bodies.flatMap(({ groups }) => groups.map(({ title }) => title))
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
    const [body, item] = bodiesOf({ [type]: media }, document, 'request')[0]!.groups
    expect([body!.description, item!.id, item!.title]).toEqual(['Lines.', 'request-item', 'Item'])
    expect(item!.fields).toEqual([
      expect.objectContaining({ name: 'name', description: 'A name.', example: 'Ana' }),
    ])
  }
})

describe('a record that is one of several', () => {
  const { fields } = successesOf(operationNamed('inquire'))[0]!.bodies[0]!.groups[0]!
  const fieldAt = (...path: string[]) =>
    path.reduce<Field | { fields: Field[] }>(
      (parent, name) => parent.fields.find((each) => each.name === name)!,
      { fields },
    ) as Field
  const stateOf = (field: Field, title: string) =>
    field.states.find(({ titles }) => titles.includes(title))!.value

  test('has each field once, and says once what is the same in every state', () => {
    const names = fieldAt('data').fields.map(({ name }) => name)
    expect(names).toEqual([...new Set(names)])
    expect(fieldAt('data', 'tracking_no')).toMatchObject({ type: 'string', isRequired: true, states: [] })
    expect(fieldAt('data', 'payload', 'qr_value').example).toMatch(/^TWQ/)
  })

  test('says where the states differ', () => {
    const accepted = fieldAt('data', 'is_accepted')
    expect(accepted).toMatchObject({ type: 'integer or null', mayBeNull: true, values: [] })
    expect(accepted.states.flatMap(({ titles }) => titles)).toHaveLength(4)
    expect(stateOf(accepted, 'Pending')).toMatchObject({ type: 'null', mayBeNull: false })
    expect(stateOf(accepted, 'Accepted')).toMatchObject({ type: 'integer', values: [1] })
    expect(stateOf(fieldAt('data', 'accepted_at'), 'Ended')).toMatchObject({ mayBeNull: true })
  })

  test('has the profile of the states that have one', () => {
    const response = fieldAt('data', 'response')
    expect(response.title).toBe('Profile')
    expect(stateOf(response, 'Ended').type).toBe('null')
    expect(fieldAt('data', 'response', 'middle_name')).toMatchObject({
      type: 'string or null',
      mayBeNull: true,
    })
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
  const titles = [partner, citizenApp, workbench, operator].map(({ info }) => info.title)
  expect([...documents.values()].map(({ info }) => info.title)).toEqual(titles)
})
