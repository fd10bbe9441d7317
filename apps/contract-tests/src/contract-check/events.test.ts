import { describe, expect, test } from 'vitest'
import { partOf, wholeDocument } from './documents.ts'
import { checkStreamBlock } from './event-stream.ts'
import { checkWebhook } from './webhooks.ts'

type Event = Record<string, unknown>
const TYPES = Object.keys(partOf(wholeDocument('partner'), 'webhooks')!.value)
const MEDIA_TYPE = ['post', 'requestBody', 'content', 'application/json']
const bodyOf = (type: string): Event =>
  partOf(wholeDocument('partner'), 'webhooks', type, ...MEDIA_TYPE, 'example')!.value

describe('a webhook', () => {
  const HEADERS = {
    host: 'partner.example',
    'content-type': 'application/json',
    'webhook-id': 'evt_2f1c7d0a9b3e4c5d8f6a7b8c9d0e1f2a',
    'webhook-timestamp': '1795161612',
    'webhook-signature': 'v1,wvEnI2lj2MqHLD8EXRu4CoBIl9SpgLK0rMa+M1VvKjs=',
  }
  const check = (headers: Record<string, string>, body: Event) =>
    checkWebhook({ ...HEADERS, ...headers }, JSON.stringify({ ...bodyOf('authorization.accepted'), ...body }))

  test.each(TYPES)('a good %s passes', (type) => {
    expect(checkWebhook(HEADERS, JSON.stringify(bodyOf(type)))).toEqual({
      violations: [],
      facts: [`webhook ${type}`],
    })
  })

  test.each(TYPES)('no object of %s may be empty, since PHP encodes it again as a list', (type) => {
    expect(JSON.stringify(bodyOf(type))).not.toContain('{}')
    expect(checkWebhook(HEADERS, JSON.stringify({ ...bodyOf(type), data: {} })).violations).not.toEqual([])
  })

  test.each<[string, Record<string, string>, Event, string]>([
    ['an undocumented type', {}, { type: 'authorization.lost' }, 'the type is not documented'],
    ['the data of another type', {}, { type: 'sso.authenticated' }, 'must NOT have additional properties'],
    ['a time of another format', {}, { timestamp: 'now' }, 'must match format "date-time"'],
    ['an extra field', {}, { name: 'Juan' }, 'must NOT have additional properties'],
    ['another webhook-id', { 'webhook-id': 'evt_1' }, {}, 'webhook-id is evt_1'],
    ['another webhook-timestamp', { 'webhook-timestamp': 'now' }, {}, 'webhook-timestamp is now'],
    [
      'a signature without a version',
      { 'webhook-signature': 'wvEnI2lj' },
      {},
      'webhook-signature is wvEnI2lj',
    ],
    ['another content type', { 'content-type': 'text/plain' }, {}, 'the content type is text/plain'],
    ['an undocumented header', { 'x-secret': '1' }, {}, 'the header x-secret is not documented'],
  ])('found: %s', (_what, headers, body, found) => {
    expect(check(headers, body).violations.join('\n')).toContain(found)
  })

  test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('found: no %s', (name) => {
    const headers = Object.fromEntries(Object.entries(HEADERS).filter((header) => header[0] !== name))
    expect(checkWebhook(headers, JSON.stringify(bodyOf('webhook.test'))).violations).toEqual([
      `webhook webhook.test: the header ${name} is missing`,
    ])
  })
})

describe('a block of a stream', () => {
  const DATA = {
    type: 'authorization.requested',
    timestamp: '2026-11-20T08:00:00.000Z',
    data: { tracking_no: '7M3K9QXV4T0HB2ZJ6WFE8RC5ND', state: 'PENDING' },
  }
  const event = (type: string, data: object, id = 'id: 1795161600000\n') =>
    checkStreamBlock(`${id}event: ${type}\ndata: ${JSON.stringify(data)}`)

  test('a good event, a comment and retry pass', () => {
    expect(event('authorization.requested', DATA)).toEqual({
      violations: [],
      facts: ['event authorization.requested'],
    })
    for (const block of ['retry: 2000', ':', ': still here'])
      expect(checkStreamBlock(block)).toEqual({ violations: [], facts: [] })
  })

  test.each<[string, ReturnType<typeof event>, string]>([
    ['another type than that of the data', event('profile.viewed', DATA), 'holds the type'],
    ['an undocumented type', event('lost', { ...DATA, type: 'lost' }), 'allowed values'],
    ['an extra field', event(DATA.type, { ...DATA, name: 'Juan' }), 'additional properties'],
    [
      'an unknown state',
      event(DATA.type, { ...DATA, data: { ...DATA.data, state: 'NEW' } }),
      'allowed values',
    ],
    ['no id', event(DATA.type, DATA, ''), 'without id'],
    ['no data', checkStreamBlock('id: 1\nevent: profile.viewed'), 'without data'],
    ['data that is not JSON', checkStreamBlock('id: 1\nevent: profile.viewed\ndata: {'), 'the data is {'],
    ['an unknown field', checkStreamBlock('name: x'), 'this is no event'],
  ])('found: %s', (_what, { violations, facts }, found) => {
    expect(violations.join('\n')).toContain(found)
    expect(facts).toEqual([])
  })
})
