// Out-of-range values in every parameter and field of every operation.
import { Readable } from 'node:stream'
import type { OperationId } from '@tiwala/contract'
import { describe, expect, test } from 'vitest'
import { bodyOf } from '../kit/body-forms.ts'
import { REQUEST_FIELDS, type RequestField, typesOf, withField } from '../kit/request-fields.ts'
import { sendRaw } from '../kit/send-raw.ts'
import { startServiceForFile } from '../kit/test-service.ts'
import { type RequestParts, validRequests } from '../kit/valid-requests.ts'

const IDS = [...new Set(REQUEST_FIELDS.map(({ id }) => id))]
const fieldsOf = (id: OperationId) => REQUEST_FIELDS.filter((field) => field.id === id)
const INTEGERS = REQUEST_FIELDS.filter(({ schema }) => typesOf(schema).includes('integer'))

const YEAR_10000 = '9999-12-31T23:59:59-23:59'
const cursor = (text: string) => Buffer.from(text).toString('base64url')
/** Values outside the range of a database column or of a JavaScript date, and malformed text. */
const HOSTILE_TEXTS = [
  '9'.repeat(14),
  '9'.repeat(15),
  '9'.repeat(16),
  '9'.repeat(20),
  '9'.repeat(64),
  '-1',
  '1e400',
  '0001-01-01T00:00:00+23:59',
  YEAR_10000,
  '2026-02-31T00:00:00Z',
  cursor(`253402300799999.${'9'.repeat(16)}`),
  cursor('253402300800000.1'),
  '\0',
  'a\0b',
  '\ud800',
  '\udc00a',
  '\u{10ffff}',
]

const service = await startServiceForFile()
const valid = await validRequests(service)

/** The status of a request with one changed value, and the fields that the error names. */
async function send(
  parts: RequestParts,
  { id, place, name }: RequestField,
  value: string | number,
): Promise<[number, string[]]> {
  const query = new URLSearchParams(parts.query)
  if (place === 'query') query.set(name, 'REPLACED')
  const changed = {
    ...parts,
    headers: { ...parts.headers, ...(place === 'header' && { [name]: String(value) }) },
    ...(place === 'body' && { fields: withField(parts.fields, name, value) }),
  }
  const { body: written, headers: type } = bodyOf(changed)
  // JSON.stringify cannot write a number that is too large.
  const body = written?.replace('"1e400"', '1e400')
  const response = await sendRaw(service.url, id, {
    headers: { ...type, ...changed.headers },
    query: query.toString().replace('REPLACED', encode(value)),
    path: { ...parts.path, ...(place === 'path' && { [name]: encode(value) }) },
    ...(body !== undefined && { body: [body] }),
  })
  const { errors = {} } =
    response.status < 400 ? {} : ((await response.json()) as { errors?: Record<string, string[]> })
  return [response.status, Object.keys(errors)]
}

/** Writes a lone surrogate as three bytes that are not valid UTF-8. */
const encode = (value: string | number) =>
  encodeURIComponent(String(value).toWellFormed()).replaceAll('%EF%BF%BD', '%ED%A0%80')

describe.each(INTEGERS.map((field) => [field.id, field.place, field.name, field] as const))(
  '%s: %s %s',
  (id, _place, name, field) => {
    const { minimum, maximum } = field.schema as { minimum: number; maximum: number }
    test.each([minimum - 1, maximum + 2, 1.5, '99999999999999999999', '-99999999999999999999', '1e400'])(
      '422: %s',
      async (value) => {
        const sent = field.place === 'body' && value !== '1e400' ? Number(value) : value
        expect(await send(valid.get(id)!, field, sent)).toEqual([422, [name]])
      },
    )
  },
)

describe.each(IDS)('%s', (id) => {
  test('no value gets 5xx', async () => {
    const parts = valid.get(id)!
    const calls = fieldsOf(id).flatMap((field) =>
      // Headers cannot hold other characters.
      HOSTILE_TEXTS.filter((text) => field.place !== 'header' || /^[ -~]+$/.test(text)).map((text) => ({
        field,
        text,
      })),
    )
    // Few at once: changes of the same secret wait for each other, and one that waits too long gets 503.
    const statuses = (await Readable.from(calls)
      .map(({ field, text }: (typeof calls)[number]) => send(parts, field, text), { concurrency: 4 })
      .toArray()) as Awaited<ReturnType<typeof send>>[]
    const failed = calls.flatMap(({ field: { place, name }, text }, index) =>
      statuses[index]![0] >= 500 ? [{ place, name, text, status: statuses[index]![0] }] : [],
    )
    expect(failed).toEqual([])
  })
})
