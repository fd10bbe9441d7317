import { Readable } from 'node:stream'
import { locate } from '@tiwala/kit/operations'
import { expect, test } from 'vitest'
import { checkedFetch } from './checked-fetch.ts'
import type { Findings } from './facts.ts'
import { report, takeFacts } from './traffic.ts'

const SERVICE = 'http://service.example'
const STREAM = locate('streamEvents').path

/** A `fetch` that gets this response. */
function fetchOf(body: ConstructorParameters<typeof Response>[0], init: ResponseInit) {
  const reported: string[] = []
  const collect = ({ violations }: Findings) => {
    reported.push(...violations)
    if (violations.length > 0) throw new Error(violations.join('\n'))
  }
  const fetch = checkedFetch(
    async (url) => Object.defineProperty(new Response(body, init), 'url', { value: url }),
    { isChecked: (origin) => origin === SERVICE, report: collect },
  )
  return { fetch, reported }
}

test('a bad response rejects, and is reported', async () => {
  const { fetch, reported } = fetchOf('{}', { headers: { 'Content-Type': 'text/html' } })
  await expect(fetch(SERVICE + locate('listKeys').path)).rejects.toThrow('the content type is "text/html"')
  expect(reported.join()).toContain('listKeys 200: the header x-request-id is missing')
})

test('a response of another server, of a page, and to a preflight is left alone', async () => {
  const bytes = new Uint8Array([0xff, 0x00])
  const { fetch, reported } = fetchOf(bytes, {})
  for (const url of [`http://other.example${locate('listKeys').path}`, `${SERVICE}/icon.svg`])
    expect(await (await fetch(url)).bytes()).toEqual(bytes)
  const preflight = fetchOf(null, { status: 204 })
  expect((await preflight.fetch(SERVICE + STREAM, { method: 'OPTIONS' })).status).toBe(204)
  expect([...reported, ...preflight.reported]).toEqual([])
})

test('the events of a stream are checked as they arrive, in any chunks', async () => {
  const type = 'authorization.requested'
  const data = { tracking_no: '7M3K9QXV4T0HB2ZJ6WFE8RC5ND', state: 'PENDING' }
  const block = (timestamp: string) =>
    `id: 1\nevent: ${type}\ndata: ${JSON.stringify({ type, timestamp, data })}\n\n`
  const headers = {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
    'X-Request-Id': 'req_5Hb2pYJ7Qn0sVtXw8RkZc1',
    traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-b7ad6b7169203331-01',
  }
  const read = async (text: string) => {
    const letters = text.split('').map((letter) => new TextEncoder().encode(letter))
    const chunks = Readable.toWeb(Readable.from(letters)) as ReadableStream
    return (await fetchOf(chunks, { headers }).fetch(SERVICE + STREAM)).text()
  }
  const good = `retry: 2000\n\n${block('2026-11-20T08:00:00.000Z')}`
  expect(await read(good)).toBe(good)
  await expect(read(good + block('yesterday'))).rejects.toThrow('must match format "date-time"')
})

test('a violation fails the test file at its end, also when a test or a client has caught the error', () => {
  expect(() => report({ violations: ['no Retry-After'], facts: ['inquire 429'] })).toThrow('no Retry-After')
  expect(takeFacts).toThrow('Responses break the documents:\nno Retry-After')
  report({ violations: [], facts: ['inquire 200'] })
  expect([takeFacts(), takeFacts()]).toEqual([['inquire 200'], []])
})
