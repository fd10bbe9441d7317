import { locate } from '@tiwala/kit/operations'
// The pitfalls of express-openapi-validator with bodies and content types; see also
// validator-pitfalls.test.ts.
import { describe, expect, test } from 'vitest'
import { refusalOf, startServiceForFile } from '../../kit/api-client.ts'
import { chunked, requestText, sendRaw } from '../../kit/raw-http.ts'

const { service, api } = await startServiceForFile()

const tokenPath = locate('generateToken').path
const heapMiB = () => (globalThis.gc!(), process.memoryUsage().heapUsed / 2 ** 20)
const part = (name: string, value: string, more = '') =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}`
const multipart = { 'Content-Type': 'multipart/form-data; boundary=b' }

test.each<[string, (i: number | string) => Promise<Response>]>([
  [
    'of JSON',
    (i) =>
      api.send('upsertCitizen', {
        headers: { ...api.asOperator, 'Content-Type': `application/json; x=${i}` },
        path: { uniqid: 'x' },
        body: '{}',
      }),
  ],
  [
    'with a boundary',
    (i) =>
      api.send('generateToken', {
        headers: { 'Content-Type': `multipart/form-data; boundary=b${i}` },
        body: `--b${i}--\r\n`,
      }),
  ],
  [
    'with a quoted boundary',
    (i) =>
      api.send('generateToken', {
        headers: { 'Content-Type': `multipart/form-data; boundary="b;x=${i}"` },
        body: `--b;x=${i}--\r\n`,
      }),
  ],
  [
    'without a body',
    (i) =>
      api.send('inquire', {
        headers: { ...api.asPartner, 'Content-Type': `text/x-${i}` },
        query: { tracking_no: 'x' },
      }),
  ],
])('510 distinct values of Content-Type, %s, leave the heap flat', async (_name, send) => {
  const round = async (name: string) => {
    for (let i = 0; i < 17; i++)
      await Promise.all(
        Array.from({ length: 10 }, async (_, j) => (await send(`${name}${i}x${j}`)).arrayBuffer()),
      )
    return heapMiB()
  }
  await round('first')
  const before = await round('second')
  // Each value that is kept in memory takes a quarter of a MiB.
  expect((await round('third')) - before).toBeLessThan(4)
})

test.each([
  ['in Latin-1', Buffer.from('{"first_name":"Pe\xf1a"}', 'latin1'), 'The body is not UTF-8'],
  [
    'with a byte order mark and a field twice',
    Buffer.from('\ufeff{"first_name":"A","first_name":"B"}'),
    'An object of the body has a field twice',
  ],
])('400: JSON %s', async (_what, body, message) => {
  const headers = { ...api.asOperator, 'Content-Type': 'application/json; charset=iso-8859-1' }
  const response = await api.send('upsertCitizen', { headers, path: { uniqid: 'x' }, body: body as never })
  expect([response.status, await response.json()]).toEqual([400, expect.objectContaining({ message })])
})

describe('multipart', () => {
  test('400: a truncated body is refused at once', async () => {
    const { response, elapsedMs } = await sendRaw(
      service.url,
      requestText(
        'POST',
        tokenPath,
        { ...multipart, 'Content-Length': 60 },
        part('scope', 'x').slice(0, 60).padEnd(60),
      ),
    )
    expect([response?.status, elapsedMs < 500]).toEqual([400, true])
  })

  test.each([
    [400, 'a small file', 100],
    [413, 'a large file, before its end has come: it is not collected', 64 * 1024],
  ])('%i: %s', async (status, _name, size) => {
    const file = part('photo', 'x'.repeat(size), '; filename="photo.png"')
    const end = status === 400 ? `${chunked('\r\n--b--\r\n')}0\r\n\r\n` : ''
    const { response, elapsedMs } = await sendRaw(
      service.url,
      requestText('POST', tokenPath, { ...multipart, 'Transfer-Encoding': 'chunked' }, chunked(file) + end),
    )
    expect([response?.status, elapsedMs < 1_000]).toEqual([status, true])
  })

  test.each([
    ['one field too long', part('scope', 'x'.repeat(17_000))],
    [
      'fields too long together',
      Array.from({ length: 10 }, (_, i) => part(`f${i}`, 'x'.repeat(2_000))).join('\r\n'),
    ],
    ['too many fields', Array.from({ length: 30 }, (_, i) => part(`f${i}`, '')).join('\r\n')],
  ])('413: %s, with and without Content-Length', async (_name, start) => {
    const body = `${start}\r\n--b--\r\n`
    expect(await refusalOf(api.send('generateToken', { headers: multipart, body }))).toBe(
      '413 payload_too_large',
    )
    const { response } = await sendRaw(
      service.url,
      requestText(
        'POST',
        tokenPath,
        { ...multipart, 'Transfer-Encoding': 'chunked' },
        `${chunked(body)}0\r\n\r\n`,
      ),
    )
    expect(response?.status).toBe(413)
  })
})
