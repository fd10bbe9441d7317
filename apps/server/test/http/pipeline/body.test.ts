// Bodies that end early, are announced too long, or contain nothing.
import { PassThrough } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import { locate } from '@tiwala/kit/operations'
import type { Request, Response } from 'express'
import { describe, expect, test } from 'vitest'
import { readBody } from '../../../src/http/pipeline/body.ts'
import { NOT_READ } from '../../../src/http/pipeline/headers.ts'
import { startServiceForFile } from '../../kit/api-client.ts'
import { requestText, sendRaw } from '../../kit/raw-http.ts'

const { service } = await startServiceForFile()

test('400: the body of a GET request is cut off', async () => {
  const req = Object.assign(new PassThrough(), { method: 'GET', headers: { 'content-length': '9' } })
  const result = new Promise((resolve) => readBody[0]!(req as unknown as Request, {} as Response, resolve))
  req.destroy(new Error('aborted'))
  expect(await result).toMatchObject({ code: 'malformed_request', message: 'The body was cut off' })
})

test('413: a body that is announced too long is refused before it arrives', async () => {
  const { path } = locate('generateToken')
  const headers = { 'Content-Type': 'multipart/form-data; boundary=b', 'Content-Length': 17_000 }
  const { response } = await sendRaw(service.url, requestText('POST', path, headers))
  expect(response?.status).toBe(413)
})

test('422: a blank JSON body lacks each field', async () => {
  const { path } = locate('generateToken')
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch(service.url + path, { method: 'POST', headers, body: ' ' })
  expect(response.status).toBe(422)
  expect(Object.keys(((await response.json()) as { errors: object }).errors).toSorted()).toEqual([
    'exchange_code',
    'partner_code',
    'partner_secret',
    'scope',
  ])
})

test.each([
  [
    'a field twice',
    'application/json',
    '{"scope":"a","scope":"b"}',
    'An object of the body has a field twice',
  ],
  [
    'a part without a name',
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--\r\n',
    'A part of the body has no name',
  ],
])('400: %s', async (_title, type, body, message) => {
  const { path } = locate('generateToken')
  const response = await fetch(service.url + path, {
    method: 'POST',
    headers: { 'Content-Type': type },
    body,
  })
  expect([response.status, await response.json()]).toEqual([
    400,
    expect.objectContaining({ error: 'malformed_request', message }),
  ])
})

const many = (count: number, toText: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => toText(n))
const part = (name: string) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\nx\r\n`
const MULTIPART = 'multipart/form-data; boundary=b'
const FORM = 'application/x-www-form-urlencoded'

test.each([
  [422, '20 fields', FORM, many(20, (n) => `a${n}=x`).join('&')],
  [413, '21 fields', FORM, many(21, (n) => `a${n}=x`).join('&')],
  [422, '20 fields', MULTIPART, `${many(20, (n) => part(`a${n}`)).join('')}--b--\r\n`],
  [413, '21 fields', MULTIPART, `${many(21, (n) => part(`a${n}`)).join('')}--b--\r\n`],
  [422, 'a name of 100 characters', MULTIPART, `${part('a'.repeat(100))}--b--\r\n`],
  [413, 'a name of 101 characters', MULTIPART, `${part('a'.repeat(101))}--b--\r\n`],
])('%d: %s, as %s', async (status, _what, type, body) => {
  const to = service.url + locate('generateToken').path
  expect((await fetch(to, { method: 'POST', headers: { 'Content-Type': type }, body })).status).toBe(status)
})

describe('a body of no type that the service reads', () => {
  const read = async (body: string) => {
    const headers = { 'content-type': NOT_READ, 'transfer-encoding': 'chunked' }
    const req = Object.assign(new PassThrough(), { method: 'POST', headers, rawHeaders: [], body: undefined })
    const result = new Promise((resolve) => readBody[0]!(req as unknown as Request, {} as Response, resolve))
    req.end(body)
    return { result: await result, body: req.body }
  }

  test.each(['', ' ', '{}', 'null'])('is no body if it is %o', async (body) => {
    expect(await read(body)).toEqual({ result: undefined, body: undefined })
  })

  test('415: contains something', async () => {
    expect(await read('text')).toMatchObject({ result: { code: 'unsupported_media_type' }, body: undefined })
  })

  test('413: is too long', async () => {
    expect(await read(' '.repeat(17_000))).toMatchObject({ result: { code: 'payload_too_large' } })
  })
})

describe('a body of 16 KiB', () => {
  const MAX_BYTES = 16 * 1024

  /** The results that the reader passes on for a chunked multipart body of so many bytes. */
  async function readMultipart(bytes: number): Promise<unknown[]> {
    const [start, end] = ['--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n', '\r\n--b--\r\n']
    const headers = { 'content-type': 'multipart/form-data; boundary=b', 'transfer-encoding': 'chunked' }
    const req = Object.assign(new PassThrough(), { method: 'POST', headers })
    const results: unknown[] = []
    void readBody[0]!(req as unknown as Request, {} as Response, (result) => results.push(result))
    // In two pieces: the form ends after its size was counted.
    req.write(start.padEnd(bytes - end.length, 'x'))
    await setImmediate()
    req.end(end)
    await finished(req.resume())
    await expect.poll(() => results.length).toBeGreaterThan(0)
    await setImmediate()
    return results
  }

  test('multipart: is accepted; one byte more is refused once', async () => {
    expect(await readMultipart(MAX_BYTES)).toEqual([undefined])
    expect(await readMultipart(MAX_BYTES + 1)).toMatchObject([{ code: 'payload_too_large' }])
    expect(await readMultipart(MAX_BYTES + 100)).toMatchObject([{ code: 'payload_too_large' }])
  })

  test('JSON: is accepted; one byte more is refused', async () => {
    const statusOf = async (bytes: number) => {
      const headers = { 'Content-Type': 'application/json' }
      const to = service.url + locate('generateToken').path
      return (await fetch(to, { method: 'POST', headers, body: '{}'.padEnd(bytes) })).status
    }
    expect([await statusOf(MAX_BYTES), await statusOf(MAX_BYTES + 1)]).toEqual([422, 413])
  })
})
